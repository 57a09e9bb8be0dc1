//! What inputs of subs are bound to may read other subs, and what a member joins.

use ode_model::{Dual, Parametric, model};

use crate::alike::{alike_named, tangent_of_duals};

model! {
    /// A foot that follows a speed.
    pub struct Foot<T> {
        input v: Real;
        param lag: Real = 1.5;
        state z: Real;
        der(z) = v - lag * z;
        output foot: Real = z + 0.1 * v;
    }
}

model! {
    /// A rod that follows a place. Its `lag` is no parameter.
    #[model(freeze(lag))]
    pub struct Rod<T> {
        input a: Real;
        param lag: Real = 0.8;
        param stiff: Real = 2.0;
        state s: Real;
        der(s) = a - lag * s;
        output pull: Real = stiff * s + 0.2 * a * a;
    }
}

model! {
    /// A damper with a gain.
    pub struct Damper<T> {
        input b: Real;
        state g: Real;
        der(g) = b - g;
        output gain: Real = 1.0 + 0.1 * b * g;
    }
}

model! {
    /// Rods read feet of one end before dampers read the other.
    pub struct Frame<T> {
        set nodes;
        set edges: (nodes, nodes);
        param p[nodes]: Real;
        coord x[nodes]: Real;
        sub leg[nodes]: Foot<T>;
        sub rod[edges]: Rod<T>;
        sub damper[edges]: Damper<T>;
        for i in nodes {
            mass x[i] = 0.8;
            potential = 0.5 * sq(x[i]);
            guess x[i] = p[i];
            bind leg[i].v = 0.5 * x[i] * x[i];
        }
        for e @ (i, j) in edges {
            bind rod[e].a = leg[i].foot * damper[e].gain;
            bind damper[e].b = x[j] + 0.2 * leg[j].foot;
            force pull on x[i] = rod[e].pull;
        }
        for k in edges {
            let e = 2.0;
            let rods = 3.0;
            output scaled: Real = rods * e * rod[k].pull;
        }
    }
}

model! {
    /// The same without sets and subs.
    #[model(storage = sparse)]
    pub struct Written {
        param p: [Real; 3];
        param leg_lag: [Real; 3] = [1.5, 1.5, 1.5];
        param rod_stiff: [Real; 2] = [2.0, 2.0];
        coord x: [Real; 3];
        state leg_z: [Real; 3];
        state rod_s: [Real; 2];
        state damper_g: [Real; 2];
        let foot_0 = leg_z[0] + 0.05 * x[0] * x[0];
        let foot_1 = leg_z[1] + 0.05 * x[1] * x[1];
        let foot_2 = leg_z[2] + 0.05 * x[2] * x[2];
        let b_0 = x[1] + 0.2 * foot_1;
        let b_1 = x[0] + 0.2 * foot_0;
        let gain_0 = 1.0 + 0.1 * b_0 * damper_g[0];
        let gain_1 = 1.0 + 0.1 * b_1 * damper_g[1];
        let a_0 = foot_0 * gain_0;
        let a_1 = foot_2 * gain_1;
        let pull_0 = rod_stiff[0] * rod_s[0] + 0.2 * a_0 * a_0;
        let pull_1 = rod_stiff[1] * rod_s[1] + 0.2 * a_1 * a_1;
        for i in 0..3 {
            mass x[i] = 0.8;
            potential = 0.5 * sq(x[i]);
            guess x[i] = p[i];
            der(leg_z[i]) = 0.5 * x[i] * x[i] - leg_lag[i] * leg_z[i];
        }
        force pull_0 on x[0] = pull_0;
        force pull_1 on x[2] = pull_1;
        der(rod_s[0]) = a_0 - 0.8 * rod_s[0];
        der(rod_s[1]) = a_1 - 0.8 * rod_s[1];
        der(damper_g[0]) = b_0 - damper_g[0];
        der(damper_g[1]) = b_1 - damper_g[1];
        output leg_foot: [Real; 3] = [foot_0, foot_1, foot_2];
        output rod_pull: [Real; 2] = [pull_0, pull_1];
        output damper_gain: [Real; 2] = [gain_0, gain_1];
        output scaled: [Real; 2] = [6.0 * pull_0, 6.0 * pull_1];
    }
}

/// `leg_z[1]` is `leg[1].z`.
fn called(name: &str) -> String {
    let Some((sub, inner)) = name.split_once('_') else { return name.to_owned() };
    let Some((inner, member)) = inner.split_once('[') else { return name.to_owned() };
    format!("{sub}[{member}.{inner}")
}

const PLACES: [f64; 3] = [0.4, -0.7, 0.9];

fn frame() -> Frame {
    Frame::builder().nodes(3).edges([[0, 1], [2, 0]]).p(PLACES).build().expect("a frame")
}

#[test]
fn bindings_are_read_for_members_that_others_join() {
    let (frame, written) = (frame(), Written::builder().p(PLACES).build().expect("a frame"));
    alike_named(&frame, &written, called);
    let slopes = tangent_of_duals(&frame, &frame.cast::<Dual<f64>>());
    assert!(slopes.iter().any(|slope| *slope != 0.0));
}

#[test]
fn frozen_parameters_of_subs_are_no_parameters() {
    let mut frame = frame();
    assert!(frame.set_parameter("rod[1].lag", 1.0).is_err());
    assert!(frame.set_parameter("leg[1].lag", 1.0).is_ok());
    assert!(frame.set_parameter("rod[1].stiff", 3.0).is_ok());
    assert_eq!((&frame.rod_stiff[..], &frame.leg_lag[..]), (&[2.0, 3.0][..], &[1.5, 1.0, 1.5][..]));
}
