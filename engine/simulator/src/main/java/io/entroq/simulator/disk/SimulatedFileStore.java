package io.entroq.simulator.disk;

import java.nio.file.FileStore;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.FileStoreAttributeView;

/** The space of the disk. */
final class SimulatedFileStore extends FileStore {
  private final DiskProcess process;

  SimulatedFileStore(DiskProcess process) {
    this.process = process;
  }

  private DiskSpace space() {
    return process.tree().space();
  }

  @Override
  public String name() {
    return "simulated";
  }

  @Override
  public String type() {
    return "simulated";
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public long getTotalSpace() {
    return space().capacityBytes();
  }

  @Override
  public long getUsableSpace() {
    return space().usableBytes();
  }

  @Override
  public long getUnallocatedSpace() {
    return space().usableBytes();
  }

  @Override
  public boolean supportsFileAttributeView(Class<? extends FileAttributeView> type) {
    return type == BasicFileAttributeView.class || type == FileOwnerAttributeView.class;
  }

  @Override
  public boolean supportsFileAttributeView(String name) {
    return name.equals("basic") || name.equals("owner");
  }

  @Override
  public <V extends FileStoreAttributeView> V getFileStoreAttributeView(Class<V> type) {
    return null;
  }

  @Override
  public Object getAttribute(String attribute) {
    throw new UnsupportedOperationException(attribute);
  }
}
