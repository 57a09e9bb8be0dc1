//! Units of random quantities.

/// Units that a model declares.
pub(super) const OWN: [&str; 4] =
    ["unit span = 0.37 [m];", "unit heft = 2.4 [kg];", "unit beat = 0.6 [s];", "unit toil = 1.5 [heft*span^2/beat^3];"];

/// Exponents of m, kg, s and A.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dimension(pub(super) [i32; 4]);

impl Dimension {
    pub(super) const ONE: Self = Self([0; 4]);
    pub(super) const LENGTH: Self = Self([1, 0, 0, 0]);
    pub(super) const MASS: Self = Self([0, 1, 0, 0]);
    pub(super) const TIME: Self = Self([0, 0, 1, 0]);
    pub(super) const CURRENT: Self = Self([0, 0, 0, 1]);
    pub(super) const ENERGY: Self = Self([2, 1, -2, 0]);
    pub(super) const POWER: Self = Self([2, 1, -3, 0]);
    pub(super) const INERTIA: Self = Self([2, 1, 0, 0]);
    pub(super) const STIFFNESS: Self = Self([0, 1, -2, 0]);
    pub(super) const DAMPING: Self = Self([0, 1, -1, 0]);
    pub(super) const ACCELERATION: Self = Self([1, 0, -2, 0]);

    pub(super) fn times(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] + other.0[i]))
    }

    pub(super) fn by(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] - other.0[i]))
    }

    /// Per second.
    pub(super) fn rate(self) -> Self {
        self.by(Self::TIME)
    }

    /// ` [kg*m^2/s]`
    pub(super) fn unit(self) -> String {
        let named = [(Self::ENERGY, "J"), (Self::POWER, "W"), (Self::ENERGY.by(Self::LENGTH), "N")];
        if let Some((_, name)) = named.iter().find(|(d, _)| *d == self) {
            return format!(" [{name}]");
        }
        self.spelled(["m", "kg", "s", "A"])
    }

    /// In the units of [`OWN`].
    pub(super) fn own(self) -> String {
        match self {
            Self::POWER => " [toil]".to_owned(),
            _ => self.spelled(["span", "heft", "beat", "A"]),
        }
    }

    fn spelled(self, symbols: [&str; 4]) -> String {
        let (mut above, mut below) = (String::new(), String::new());
        for (symbol, &n) in symbols.iter().zip(&self.0) {
            let factor = if n.abs() == 1 { (*symbol).to_owned() } else { format!("{symbol}^{}", n.abs()) };
            if n > 0 {
                above.push_str(if above.is_empty() { "" } else { "*" });
                above.push_str(&factor);
            }
            if n < 0 {
                below.push_str(&format!("/{factor}"));
            }
        }
        let above = if above.is_empty() { "1".to_owned() } else { above };
        format!(" [{above}{below}]")
    }
}

impl Dimension {
    /// The dimension of ` [kg*m^2/s]`; none for none.
    pub(super) fn read(unit: &str) -> Self {
        let inner = unit.trim().trim_start_matches('[').split(']').next().unwrap_or_default();
        let mut found = Self::ONE;
        for (k, factors) in inner.split('/').enumerate() {
            for factor in factors.split('*').filter(|f| !f.is_empty() && *f != "1") {
                let (symbol, power) = factor.split_once('^').unwrap_or((factor, "1"));
                let base = match symbol {
                    "m" => Self::LENGTH,
                    "kg" => Self::MASS,
                    "s" => Self::TIME,
                    "A" => Self::CURRENT,
                    "J" => Self::ENERGY,
                    "W" | "toil" => Self::POWER,
                    "span" => Self::LENGTH,
                    "heft" => Self::MASS,
                    "beat" => Self::TIME,
                    _ => Self::ENERGY.by(Self::LENGTH),
                };
                for _ in 0..power.parse::<usize>().unwrap_or(1) {
                    found = if k == 0 { found.times(base) } else { found.by(base) };
                }
            }
        }
        found
    }
}
