package io.entroq.perf.jmh.record;

import io.entroq.perf.cycle.BareAppends;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.CloseHelper;

/** A bare Chronicle queue, forced through its files: its own sync depends on its configuration. */
final class ChronicleTarget implements RecordTarget {
  private final BareAppends appends;
  private Path file;
  private FileChannel channel;

  ChronicleTarget(Path directory) {
    appends = new BareAppends(directory, RECORD_BYTES);
  }

  @Override
  public void append() {
    appends.cycle();
  }

  @Override
  public void force() throws IOException {
    Path current = appends.file();
    if (!current.equals(file)) {
      CloseHelper.close(channel);
      channel = FileChannel.open(current, StandardOpenOption.WRITE);
      file = current;
    }
    channel.force(false);
  }

  @Override
  public void close() {
    CloseHelper.closeAll(channel, appends);
  }
}
