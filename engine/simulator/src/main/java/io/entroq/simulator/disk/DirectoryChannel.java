package io.entroq.simulator.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;

/** A directory that is open to be forced. */
final class DirectoryChannel extends NodeChannel {
  DirectoryChannel(SimulatedPath path, DirectoryNode node) {
    super(path, node);
  }

  private static IOException isDirectory() {
    return new IOException("Is a directory");
  }

  @Override
  public int read(ByteBuffer to) throws IOException {
    throw isDirectory();
  }

  @Override
  public int read(ByteBuffer to, long position) throws IOException {
    throw isDirectory();
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    throw isDirectory();
  }

  @Override
  public int write(ByteBuffer from, long position) throws IOException {
    throw isDirectory();
  }

  @Override
  public long position() {
    return 0;
  }

  @Override
  public FileChannel position(long newPosition) throws IOException {
    throw isDirectory();
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    throw isDirectory();
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) throws IOException {
    throw isDirectory();
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) throws IOException {
    throw isDirectory();
  }

  @Override
  protected void implCloseChannel() {
    // Nothing to release.
  }
}
