//! Nothing: its dependencies say which features the tests add to packages that users build too.
