package io.entroq.engine.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The segments that may hold bytes which are not on the disk, oldest first: linked by the appending
 * thread, forced and let go by whichever one thread forces.
 */
final class UnforcedSegments implements AutoCloseable {
  private final LogDirectory directory;
  private final Forcer forcer;
  private Link newest = new Link(null);
  private Link oldest = newest;

  UnforcedSegments(LogDirectory directory, Forcer forcer) {
    this.directory = directory;
    this.forcer = forcer;
  }

  /** Appending thread: from now on records go to this file. */
  void add(Path file) {
    Link link = new Link(file);
    newest.next = link;
    newest = link;
  }

  /**
   * One thread at a time: forces every segment, the older ones first, so that nothing in a later
   * segment counts before all of the earlier ones is on the disk.
   */
  void force() throws IOException {
    while (true) {
      // Read before forcing: a segment that already has a successor gets no more records.
      Link next = oldest.next;
      oldest.force(directory, forcer);
      if (next == null) {
        return;
      }
      oldest.close();
      oldest = next;
    }
  }

  /** When neither thread is at work any more. */
  @Override
  public void close() throws IOException {
    oldest.close();
  }

  private static final class Link {
    private final Path file;
    volatile Link next;
    private FileChannel channel;

    Link(Path file) {
      this.file = file;
    }

    void force(LogDirectory directory, Forcer forcer) throws IOException {
      if (file == null) {
        return;
      }
      if (channel == null) {
        // The name first: of a file that is open it counts as forced.
        Path run = file.getParent();
        forcer.force(run.toString(), directory::forceNames);
        channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
      }
      forcer.force(file.toString(), () -> channel.force(false));
    }

    void close() throws IOException {
      if (channel != null) {
        channel.close();
      }
    }
  }
}
