package io.entroq.simulator.disk;

import java.nio.channels.FileLock;

/** A lock that a process has on a file, until it or its channel is closed, or the process dies. */
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
