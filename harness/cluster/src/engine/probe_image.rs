//! An image with one program that ends at once. Made here, so that an engine can be probed on a machine that has no
//! image yet and no registry to get one from.

/// The image's root filesystem as a tar archive, for `docker import`.
pub(super) fn archive() -> std::io::Result<Vec<u8>> {
    let program = program();
    let mut header = tar::Header::new_gnu();
    header.set_size(program.len() as u64);
    header.set_mode(0o755);
    let mut archive = tar::Builder::new(Vec::new());
    archive.append_data(&mut header, "probe", program.as_slice())?;
    archive.into_inner()
}

/// `exit(0)` in machine code.
const EXIT: &[u8] = if cfg!(target_arch = "aarch64") {
    // mov x0, 0; mov x8, 93; svc 0
    &[0x00, 0x00, 0x80, 0xd2, 0xa8, 0x0b, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4]
} else {
    // xor edi, edi; mov eax, 60; syscall
    &[0x31, 0xff, 0xb8, 0x3c, 0x00, 0x00, 0x00, 0x0f, 0x05]
};

/// The smallest ELF program: a header, one loaded segment, and the code.
fn program() -> Vec<u8> {
    const BASE: u64 = 0x40_0000;
    const CODE: u64 = 64 + 56;
    let machine: u16 = if cfg!(target_arch = "aarch64") { 183 } else { 62 };
    let size = CODE + EXIT.len() as u64;
    let mut elf = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    for half in [2, machine] {
        elf.extend(half.to_le_bytes()); // executable, for this machine
    }
    elf.extend(1u32.to_le_bytes());
    for word in [BASE + CODE, 64, 0] {
        elf.extend(word.to_le_bytes()); // entry, program headers, no sections
    }
    elf.extend(0u32.to_le_bytes());
    for half in [64u16, 56, 1, 0, 0, 0] {
        elf.extend(half.to_le_bytes());
    }
    for word in [1u32, 5] {
        elf.extend(word.to_le_bytes()); // load it, readable and executable
    }
    for word in [0, BASE, BASE, size, size, 0x1000] {
        elf.extend(word.to_le_bytes());
    }
    elf.extend(EXIT);
    elf
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn the_program_runs_and_succeeds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("probe");
        std::fs::write(&path, super::program()).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert!(std::process::Command::new(path).status().unwrap().success());
    }
}
