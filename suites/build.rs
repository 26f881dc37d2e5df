//! The tests are made from files, one per scenario and cluster entry: a new file must make cargo compile them again.

fn main() {
    println!("cargo::rerun-if-changed=.");
    println!("cargo::rerun-if-changed=../clusters/matrix");
}
