use ode_model::prelude::*;

model! {
    pub struct Leg<T> {
        param m: Real [kg] = 0.1;
        param stiff: Real [N/m];
        input pull: Real [N];
        coord (p, w): Vec3 [m];
        state heat: Real [J];
        mass p = m;
        der(heat) = -heat / 2.0s;
        force up on p.z = pull - stiff * p.z;
        output foot: Vec3 [m] = p;
    }
}

model! {
    pub struct Herd<T> {
        set bodies;
        param k: Real [N/m] = 3.0;
        coord x[bodies]: Vec3 [m];
        sub leg[bodies]: Leg<T>;
        for i in bodies {
            bind leg[i].pull = k * x[i].y;
            mass x[i] = 0.3kg;
            potential = 0.5 * k * sq(norm(leg[i].foots - x[i]));
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut herd = Herd::<f64>::builder().bodies(2).leg_stiff([1.0, 2.0]).k(2.0).build()?;
    herd.leg_m[0] = 0.2;
    let mut state = State::neutral(&herd);
    herd.leg_p_mut(&mut state.q)[1] = [1.0, 0.0, 0.0];
    let _ = (herd.leg_heat(&state.z), herd.leg_w(&state.v), herd.x(&state.q), herd.bodies());
    Ok(())
}
