package io.entroq.engine.log.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.engine.log.LogDirectory;
import io.entroq.engine.log.LogRecord;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log in an archive, which maps no files, reads like the one in the directory. */
class UnmappedScanTest {
  @TempDir Path temporary;

  private LogOnDisk log;

  private void writeThreeRuns() {
    log = new LogOnDisk(temporary.resolve("data"));
    log.run(100, 1_000, 2_000, -1, 900).run(10, 20, -1, 3_000).run(500, 600);
  }

  @Test
  void shouldReadWhatIsWhole() throws IOException {
    writeThreeRuns();
    assertThat(scanArchive().lastSequence()).isEqualTo(9);
  }

  @Test
  void shouldCutATornTail() throws IOException {
    writeThreeRuns();
    spoilLastSegment(40);
    ScanReport report = scanArchive();
    assertThat(report.lastSequence()).isEqualTo(8);
    assertThat(report.isTorn()).isTrue();
  }

  @Test
  void shouldReadASegmentThatIsLongerThanWhatStandsInIt() throws IOException {
    writeThreeRuns();
    Path last = lastSegment();
    byte[] bytes = LogOnDisk.read(last);
    LogOnDisk.write(last, Arrays.copyOf(bytes, 200_000));
    ScanReport report = scanArchive();
    assertThat(report.lastSequence()).isEqualTo(9);
    assertThat(report.loose()).hasSize(1);
  }

  private Path lastSegment() {
    List<Path> segments = log.segments();
    return segments.get(segments.size() - 1);
  }

  private void spoilLastSegment(int fromEnd) {
    Path last = lastSegment();
    byte[] bytes = LogOnDisk.read(last);
    bytes[LogOnDisk.usedBytes(bytes) - fromEnd] ^= 1;
    LogOnDisk.write(last, bytes);
  }

  /** What a scan of the copy in an archive finds, which is what one of the original does. */
  private ScanReport scanArchive() throws IOException {
    LogOnDisk.Scanned plain = log.scan(HolePolicy.CUT_UNFORCED);
    Path zip = temporary.resolve("data.zip");
    try (FileSystem archive = FileSystems.newFileSystem(zip, Map.of("create", "true"))) {
      copy(log.directory, archive.getPath("/data"));
    }
    try (FileSystem archive = FileSystems.newFileSystem(zip)) {
      LogRecord.Collector collector = new LogRecord.Collector();
      ScanReport report =
          new LogScanner(LogDirectory.read(archive.getPath("/data")), HolePolicy.CUT_UNFORCED)
              .scan(collector);
      assertThat(report.damage()).isNull();
      assertThat(collector.records).isEqualTo(plain.records());
      assertThat(report.forcedSequence()).isEqualTo(plain.report().forcedSequence());
      assertThat(report.strayBytes()).isEqualTo(plain.report().strayBytes());
      assertThat(report.isTorn()).isEqualTo(plain.report().isTorn());
      return report;
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }
}
