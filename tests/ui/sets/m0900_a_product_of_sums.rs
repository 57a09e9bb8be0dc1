fn main() {
    ode_model::model! {
        pub struct Rope {
            set nodes;
            coord x[nodes]: Real;
            coord s: Real;
            kinetic = 0.5 * sq(der(s));
            for i in nodes {
                mass x[i] = 1.0;
            }
            constraint held: sq(sum(nodes, |i| x[i])) == s;
        }
    }
}
