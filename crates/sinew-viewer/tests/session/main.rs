//! A session as a page sees it: text in, text and binary out.

mod page;

mod changes;
mod flow;
mod touching;
