use ode_model::prelude::*;

model! {
    pub struct Rope<T> {
        set nodes;
        set links: (nodes, nodes);
        param m: Real [kg] = 0.1;
        param stiff[links]: Real [N/m] = 40.0;
        coord (x, v)[nodes]: Vec3 [m];
        state heat[nodes]: Real [J];
        input pull[nodes]: Real [N];
        for i in nodes {
            mass x[i] = m;
            force up on x[i] = vec3(0.0, 0.0, pull[i]);
        }
        for e @ (i, j) in links {
            potential = 0.5 * stif[e] * sq(norm(x[j] - x[i]));
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rope = Rope::<f64>::builder().nodes(2).links([[0, 1]]).m(0.2).stiff([30.0]).build()?;
    rope.stiff[0] = 20.0;
    let mut state = State::neutral(&rope);
    rope.x_mut(&mut state.q)[1] = [1.0, 0.0, 0.0];
    let mut u = vec![0.0; 2];
    rope.pull_mut(&mut u)[0] = 1.0;
    let _ = (rope.energy(state.at(&u)), rope.heat(&state.z), rope.links(), rope.nodes(), rope.v(&state.v));
    let mut run = Simulation::of(&rope, RungeKutta4).fixed(0.01)?;
    run.advance_to(0.1)?;
    Ok(())
}
