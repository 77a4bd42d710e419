//! "Did you mean": the closest allowed word to a misspelt one.

/// Largest number of allowed words to list when none is close.
const LISTED: usize = 20;

/// The allowed word that `word` most probably stands for, if any is close enough.
pub(crate) fn closest<'a>(word: &str, allowed: &[&'a str]) -> Option<&'a str> {
    let word = plain(word);
    let score = |candidate: &str| {
        let candidate = plain(candidate);
        let distance = strsim::damerau_levenshtein(&word, &candidate);
        // One error in three letters, or one word that begins with the other (`youngs_modulus`, `rot`).
        let near = distance <= (candidate.chars().count().max(word.chars().count())).div_ceil(3).min(4);
        let prefix = word.len().min(candidate.len()) >= 3
            && (word.starts_with(&candidate) || candidate.starts_with(&word));
        (near || prefix).then_some(distance)
    };
    allowed.iter().filter_map(|&c| score(c).map(|d| (d, c))).min().map(|(_, c)| c)
}

/// The end of an error message about a word that is not allowed: a suggestion, or the allowed words.
pub fn hint(word: &str, allowed: &[&str]) -> String {
    match closest(word, allowed) {
        Some(candidate) => format!("; did you mean `{candidate}`?"),
        None if !allowed.is_empty() && allowed.len() <= LISTED => format!("; allowed: {}", list(allowed)),
        None => String::new(),
    }
}

/// `a`, `b`, `c`.
pub(crate) fn list(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// Differences in case, and between `-`, `_` and a space, never count.
fn plain(word: &str) -> String {
    word.trim().to_lowercase().replace(['_', ' '], "-")
}
