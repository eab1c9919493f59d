package io.entroq.simulator.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.OpenOption;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import java.util.Set;

/** A file that a process has open. */
final class SimulatedFileChannel extends NodeChannel {
  private final FileNode file;
  private final boolean isReadable;
  private final boolean isWritable;
  private final boolean isAppending;
  private long position;

  SimulatedFileChannel(SimulatedPath path, FileNode file, Set<? extends OpenOption> options) {
    super(path, file);
    this.file = file;
    this.isAppending = options.contains(StandardOpenOption.APPEND);
    this.isWritable = isAppending || options.contains(StandardOpenOption.WRITE);
    this.isReadable = !isWritable || options.contains(StandardOpenOption.READ);
  }

  @Override
  public int read(ByteBuffer to) throws IOException {
    int count = read(to, position);
    position += Math.max(0, count);
    return count;
  }

  @Override
  public int read(ByteBuffer to, long at) throws IOException {
    requireOpen();
    if (!isReadable) {
      throw new NonReadableChannelException();
    }
    boolean dies = process().begin();
    if (process().disk().faults().isReadFailing(path())) {
      throw DiskException.failure();
    }
    process().end(dies);
    return file.read(to, at);
  }

  @Override
  public int write(ByteBuffer from) throws IOException {
    int count = write(from, isAppending ? file.size() : position);
    position = isAppending ? file.size() : position + count;
    return count;
  }

  @Override
  public int write(ByteBuffer from, long at) throws IOException {
    requireWritable();
    boolean dies = process().begin();
    DiskFaults faults = process().disk().faults();
    if (faults.isWriteFailing(path())) {
      throw DiskException.failure();
    }
    int wanted = dies ? from.remaining() / 2 : from.remaining();
    int written = file.write(from, at, wanted);
    process().end(dies);
    if (written == 0 && wanted > 0) {
      faults.onRefused();
      throw DiskException.noRoom();
    }
    return written;
  }

  private void requireWritable() throws IOException {
    requireOpen();
    if (!isWritable) {
      throw new NonWritableChannelException();
    }
  }

  @Override
  public long position() throws IOException {
    requireOpen();
    return position;
  }

  @Override
  public FileChannel position(long newPosition) throws IOException {
    requireOpen();
    position = newPosition;
    return this;
  }

  @Override
  public FileChannel truncate(long size) throws IOException {
    requireWritable();
    boolean dies = process().begin();
    file.truncate((int) Math.min(size, Integer.MAX_VALUE));
    position = Math.min(position, size);
    process().end(dies);
    return this;
  }

  @Override
  public FileLock lock(long from, long size, boolean shared) throws IOException {
    FileLock lock = tryLock(from, size, shared);
    if (lock == null) {
      throw new IllegalStateException(path() + " is locked by another process, for ever");
    }
    return lock;
  }

  @Override
  public FileLock tryLock(long from, long size, boolean shared) throws IOException {
    requireOpen();
    process().end(process().begin());
    for (Iterator<SimulatedLock> locks = file.locks().iterator(); locks.hasNext(); ) {
      SimulatedLock other = locks.next();
      if (!other.isValid()) {
        locks.remove();
      } else if (other.overlaps(from, size)) {
        if (other.process() == process()) {
          throw new OverlappingFileLockException();
        }
        if (!shared || !other.isShared()) {
          return null;
        }
      }
    }
    SimulatedLock lock = new SimulatedLock(this, from, size, shared);
    file.locks().add(lock);
    return lock;
  }

  /** As with POSIX locks, closing releases all locks of the process on the file. */
  @Override
  protected void implCloseChannel() {
    file.locks().removeIf(lock -> lock.process() == process());
  }

  boolean holds(SimulatedLock lock) {
    return file.locks().contains(lock);
  }

  void release(SimulatedLock lock) {
    file.locks().remove(lock);
  }
}
