package io.entroq.simulator.disk;

/** An immutable copy of all files on a disk. */
public record DiskImage(DirectoryTree tree) {}
