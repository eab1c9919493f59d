package io.entroq.engine.log.scan;

import io.entroq.engine.log.CommandLog;
import io.entroq.engine.log.LogConfig;
import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogRecord;
import io.entroq.engine.log.LogRun;
import io.entroq.engine.log.LogSegment;
import io.entroq.engine.log.chronicle.ChronicleLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A small log in real files, whose bytes tests keep, spoil and put back. */
final class LogOnDisk {
  static final int TAG = 0x10293847;
  static final LogConfig CONFIG =
      LogConfig.defaults().withSegmentBytes(4 << 10).withPayloadBytesMax(4 << 10);

  final Path directory;
  final List<LogRecord> records = new ArrayList<>();
  private final LogConfig config;
  private long forced;

  LogOnDisk(Path directory) {
    this(directory, CONFIG);
  }

  LogOnDisk(Path directory, LogConfig config) {
    this.directory = directory;
    this.config = config;
  }

  /** Appends in a run of its own; a negative payload size means: force, then append the rest. */
  LogOnDisk run(int... payloadBytes) {
    return runOf(TAG, payloadBytes);
  }

  LogOnDisk runOf(int tag, int... payloadBytes) {
    List<LogRecord> run = new ArrayList<>();
    long sequence = records.size();
    for (int bytes : payloadBytes) {
      run.add(bytes < 0 ? null : LogRecord.ofBytes(++sequence, bytes));
    }
    return run(tag, run);
  }

  /** Appends the records in a run of its own; null means: force. */
  LogOnDisk run(int tag, List<LogRecord> run) {
    try (LogDirectory open = LogDirectory.open(directory);
        CommandLog log = ChronicleLog.open(open, config, tag, records.size(), forced)) {
      for (LogRecord record : run) {
        if (record == null) {
          log.force();
        } else {
          record.appendTo(log);
          records.add(record);
        }
      }
      forced = log.forcedSequence();
    }
    return this;
  }

  /** As if a cut had been decided: what follows goes on behind that record. */
  LogOnDisk cutAfter(long sequence) {
    while (records.size() > sequence) {
      records.remove(records.size() - 1);
    }
    forced = Math.min(forced, sequence);
    return this;
  }

  List<Path> segments() {
    List<Path> files = new ArrayList<>();
    for (LogRun run : LogDirectory.read(directory).runs()) {
      for (LogSegment segment : run.segments()) {
        files.add(segment.file());
      }
    }
    return files;
  }

  /** The whole log. */
  Scanned scan(HolePolicy policy) {
    return scan(policy, 0);
  }

  /** What lies behind a record, as after a snapshot that holds it. */
  Scanned scan(HolePolicy policy, long after) {
    LogRecord.Collector collector = new LogRecord.Collector();
    ScanReport report =
        new LogScanner(LogDirectory.read(directory), policy)
            .scanAfter(after, TAG, LogRecord.of(after, "").logTimeMs(), collector);
    return new Scanned(report, collector.records);
  }

  /** The bytes of all segments. */
  Map<Path, byte[]> image() {
    Map<Path, byte[]> image = new TreeMap<>();
    for (Path file : segments()) {
      image.put(file, read(file));
    }
    return image;
  }

  static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static void write(Path file, byte[] bytes) {
    // Over what is there: a file that is emptied first is forced to the disk when it is closed.
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes), 0);
      channel.truncate(bytes.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where the bytes end that are not zero. */
  static int usedBytes(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] == 0) {
      end--;
    }
    return end;
  }

  /** What a scan has found and given out. */
  record Scanned(ScanReport report, List<LogRecord> records) {}
}
