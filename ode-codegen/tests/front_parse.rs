use ode_codegen::parse::parse;
#[test]
fn examples() {
    for (name, text) in [
        ("pendulum", include_str!("front_models/pendulum.txt")),
        ("cart_pole", include_str!("front_models/cart_pole.txt")),
        ("double_pendulum", include_str!("front_models/double_pendulum.txt")),
        ("andrews", include_str!("front_models/andrews_squeezer.txt")),
        ("slider", include_str!("front_models/slider_crank.txt")),
        ("top", include_str!("front_models/top.txt")),
        ("quad", include_str!("front_models/quadrotor.txt")),
        ("cloth", include_str!("front_models/cloth.txt")),
        ("coin", include_str!("front_models/coin.txt")),
        ("ball", include_str!("front_models/ball.txt")),
        ("dcmotor", include_str!("front_models/dcmotor.txt")),
        ("rover", include_str!("front_models/rover.txt")),
    ] {
        let (model, errors) = parse(text.parse().unwrap());
        println!("== {name} {}", model.items.len());
        for m in errors.messages() {
            println!("{}", m.text());
        }
    }
}
