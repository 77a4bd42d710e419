//! What stands behind the name of a task: `--name VALUE` options, `--name` switches, and the rest.

use crate::steps::Failure;

/// The arguments of a task, taken out one option at a time; what is left at the end is checked by [`Arguments::rest`].
pub struct Arguments {
    task: &'static str,
    left: Vec<String>,
}

impl Arguments {
    pub fn new(task: &'static str, arguments: &[&str]) -> Self {
        Self { task, left: arguments.iter().map(|&argument| argument.to_owned()).collect() }
    }

    /// Takes `name VALUE` out, if it is there.
    pub fn value(&mut self, name: &str) -> Result<Option<String>, Failure> {
        let Some(at) = self.left.iter().position(|argument| argument == name) else { return Ok(None) };
        self.left.remove(at);
        if at >= self.left.len() || self.left[at].starts_with("--") {
            return Err(Failure::new(self.task, format!("{name} needs a value")));
        }
        Ok(Some(self.left.remove(at)))
    }

    /// Takes `name VALUE` out; it has to be there.
    pub fn required(&mut self, name: &str) -> Result<String, Failure> {
        let value = self.value(name)?;
        value.ok_or_else(|| {
            Failure::new(self.task, format!("{name} is missing; `cargo xtask help` lists what it takes"))
        })
    }

    /// Takes the switch out; whether it was there.
    pub fn switch(&mut self, name: &str) -> bool {
        let before = self.left.len();
        self.left.retain(|argument| argument != name);
        self.left.len() < before
    }

    /// What is left; an option that nobody asked for is an error.
    pub fn rest(self) -> Result<Vec<String>, Failure> {
        match self.left.iter().find(|argument| argument.starts_with('-')) {
            Some(unknown) => Err(Failure::new(self.task, format!("there is no option {unknown}"))),
            None => Ok(self.left),
        }
    }

    /// Ends the parsing of a task that takes options only.
    pub fn end(self) -> Result<(), Failure> {
        let task = self.task;
        match self.rest()?.first() {
            Some(extra) => Err(Failure::new(task, format!("`{extra}` is one argument too many"))),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_come_out_in_any_order_and_the_rest_stays() {
        let mut arguments = Arguments::new("x", &["a", "--base", "p", "b", "--quick"]);
        assert_eq!(arguments.required("--base").unwrap(), "p");
        assert!(arguments.switch("--quick") && !arguments.switch("--slow"));
        assert_eq!(arguments.value("--out").unwrap(), None);
        assert_eq!(arguments.rest().unwrap(), ["a", "b"]);
    }

    #[test]
    fn what_is_missing_or_unknown_is_refused() {
        assert!(Arguments::new("x", &["--base"]).required("--base").is_err());
        assert!(Arguments::new("x", &["--base", "--out", "f"]).required("--base").is_err());
        assert!(Arguments::new("x", &[]).required("--base").is_err());
        assert!(Arguments::new("x", &["--bass", "p"]).rest().is_err());
        assert!(Arguments::new("x", &["p"]).end().is_err());
    }
}
