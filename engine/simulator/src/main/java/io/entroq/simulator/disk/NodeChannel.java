package io.entroq.simulator.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A file or directory that a process has open. Mapping is not supported. */
abstract class NodeChannel extends FileChannel {
  private static final int TRANSFER_BYTES = 64 << 10;

  private final DiskProcess process;
  private final String path;
  private final Node node;

  NodeChannel(SimulatedPath path, Node node) {
    this.process = path.process();
    this.path = path.location();
    this.node = node;
  }

  DiskProcess process() {
    return process;
  }

  /** The path that it was opened by. */
  String path() {
    return path;
  }

  void requireOpen() throws ClosedChannelException {
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
  }

  @Override
  public void force(boolean metaData) throws IOException {
    requireOpen();
    process.force(node, path);
  }

  @Override
  public long size() throws IOException {
    requireOpen();
    process.end(process.begin());
    return node.size();
  }

  @Override
  public long read(ByteBuffer[] to, int offset, int length) throws IOException {
    long count = 0;
    for (int i = offset; i < offset + length; i++) {
      int read = read(to[i]);
      if (read < 0) {
        return count == 0 ? -1 : count;
      }
      count += read;
    }
    return count;
  }

  @Override
  public long write(ByteBuffer[] from, int offset, int length) throws IOException {
    long count = 0;
    for (int i = offset; i < offset + length; i++) {
      count += write(from[i]);
    }
    return count;
  }

  @Override
  public long transferTo(long from, long count, WritableByteChannel to) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(count, TRANSFER_BYTES));
    return read(bytes, from) <= 0 ? 0 : to.write(bytes.flip());
  }

  @Override
  public long transferFrom(ReadableByteChannel from, long to, long count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(count, TRANSFER_BYTES));
    return from.read(bytes) <= 0 ? 0 : write(bytes.flip(), to);
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) {
    throw new UnsupportedOperationException("a simulated disk is not mapped");
  }
}
