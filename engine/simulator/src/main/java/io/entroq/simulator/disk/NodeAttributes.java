package io.entroq.simulator.disk;

import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/** What a file or directory was when it was looked at. Its times say nothing. */
final class NodeAttributes implements BasicFileAttributes {
  private static final FileTime NEVER = FileTime.fromMillis(0);

  private final boolean isDirectory;
  private final long size;

  NodeAttributes(Node node) {
    this.isDirectory = node.isDirectory();
    this.size = node.size();
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
  public boolean isDirectory() {
    return isDirectory;
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
  public long size() {
    return size;
  }

  @Override
  public Object fileKey() {
    return null;
  }
}
