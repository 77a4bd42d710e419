//! A session as a page sees it: text in, text and binary out.

mod page;

mod carried;
mod changes;
mod dropped;
mod flow;
mod touching;
