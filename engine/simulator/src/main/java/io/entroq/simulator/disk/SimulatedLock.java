package io.entroq.simulator.disk;

import java.nio.channels.FileLock;

/** A lock of a process on a file, valid until it is released or the process dies. */
final class SimulatedLock extends FileLock {
  private final SimulatedFileChannel channel;

  SimulatedLock(SimulatedFileChannel channel, long position, long size, boolean isShared) {
    super(channel, position, size, isShared);
    this.channel = channel;
  }

  DiskProcess process() {
    return channel.process();
  }

  @Override
  public boolean isValid() {
    return process().isAlive() && channel.holds(this);
  }

  @Override
  public void release() {
    channel.release(this);
  }
}
