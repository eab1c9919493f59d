package io.entroq.simulator.disk;

import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/** The attributes of a file or directory when it was looked at. All times are the epoch. */
record NodeAttributes(boolean isDirectory, long size) implements BasicFileAttributes {
  private static final FileTime NEVER = FileTime.fromMillis(0);

  static NodeAttributes of(Node node) {
    return new NodeAttributes(node.isDirectory(), node.size());
  }

  @Override
  public FileTime lastModifiedTime() {
    return NEVER;
  }

  @Override
  public FileTime lastAccessTime() {
    return NEVER;
  }

  @Override
  public FileTime creationTime() {
    return NEVER;
  }

  @Override
  public boolean isRegularFile() {
    return !isDirectory;
  }

  @Override
  public boolean isSymbolicLink() {
    return false;
  }

  @Override
  public boolean isOther() {
    return false;
  }

  @Override
  public Object fileKey() {
    return null;
  }
}
