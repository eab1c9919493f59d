package io.entroq.cluster.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.RecordingLog;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The consensus module reads changes of the recording log as intended. */
class RecordingLogFileTest {
  private static final int MODULE = ConsensusModule.Configuration.SERVICE_ID;

  @TempDir Path directory;

  @Test
  void shouldTreatAMissingFileAsEmpty() {
    RecordingLogFile file = file();
    assertThat(file.snapshots()).isEmpty();
    assertThat(file.logRecording()).isEmpty();
    file.compact();
  }

  @Test
  void shouldListCompleteSnapshots() {
    write(3);
    append(1_000, 50, 0);
    assertThat(positions()).containsExactly(100L, 200L, 300L);
    assertThat(file().logRecording()).hasValue(7);
    RaftSnapshot second = file().snapshots().get(1);
    assertThat(second.serviceRecording()).isEqualTo(20);
    assertThat(second.moduleRecording()).isEqualTo(21);
    assertThat(second.timeMs()).isEqualTo(2_000);
  }

  @Test
  void shouldInvalidateSnapshots() {
    write(3);
    List<RaftSnapshot> all = file().snapshots();
    file().invalidate(all.subList(0, 2));
    assertThat(positions()).containsExactly(300L);
    try (RecordingLog log = new RecordingLog(dir(), false)) {
      assertThat(log.getLatestSnapshot(MODULE).recordingId).isEqualTo(31);
      assertThat(log.findLastTermRecordingId()).isEqualTo(7);
      assertThat(log.entries()).hasSize(3);
    }
  }

  @Test
  void shouldSetAsideSnapshots() {
    write(3);
    assertThat(file().setAside(200)).isEqualTo(2);
    assertThat(positions()).containsExactly(100L);
    try (RecordingLog log = new RecordingLog(dir(), false)) {
      assertThat(log.getLatestSnapshot(0).recordingId).isEqualTo(10);
      log.appendSnapshot(90, 0, 0, 200, 5_000, 0);
      log.appendSnapshot(91, 0, 0, 200, 5_000, MODULE);
    }
    assertThat(positions()).containsExactly(100L, 200L);
    assertThat(file().snapshots().get(1).serviceRecording()).isEqualTo(90);
  }

  @Test
  void shouldRefuseToInvalidateAnotherEntry() {
    write(2);
    RaftSnapshot other = new RaftSnapshot(100, 1_000, 10, 99, 1, 2);
    assertThatThrownBy(() -> file().invalidate(List.of(other)))
        .hasMessageContaining("is not for recording 99");
    assertThat(positions()).containsExactly(100L, 200L);
  }

  @Test
  void shouldCompactInvalidatedEntries() throws IOException {
    write(40);
    file().invalidate(file().snapshots().subList(0, 38));
    long before = Files.size(path());
    file().compact();
    assertThat(Files.size(path())).isLessThan(before).isEqualTo(5 * 64);
    assertThat(positions()).containsExactly(3_900L, 4_000L);
    assertThat(file().logRecording()).hasValue(7);
    file().compact();
    assertThat(Files.size(path())).isEqualTo(5 * 64);
  }

  @Test
  void shouldTellWhetherAMemberIsRecoverable() throws IOException {
    Path archive = Files.createDirectory(directory.resolve("archive"));
    assertThat(new RecordingLogFile(dir()).isRecoverable(archive.toFile())).isTrue();
    write(1);
    Files.createFile(archive.resolve("7-4096.rec"));
    assertThat(new RecordingLogFile(dir()).isRecoverable(archive.toFile())).isTrue();
    file().setAside(0);
    assertThat(new RecordingLogFile(dir()).isRecoverable(archive.toFile())).isFalse();
    Files.createFile(archive.resolve("7-0.rec"));
    assertThat(new RecordingLogFile(dir()).isRecoverable(archive.toFile())).isTrue();
  }

  private void write(int snapshots) {
    try (RecordingLog log = new RecordingLog(dir(), true)) {
      log.appendTerm(7, 0, 0, 1);
    }
    for (int i = 1; i <= snapshots; i++) {
      append(i * 100L, i * 10L, 0);
      append(i * 100L, i * 10L + 1, MODULE);
    }
  }

  private void append(long position, long recording, int service) {
    try (RecordingLog log = new RecordingLog(dir(), false)) {
      log.appendSnapshot(recording, 0, 0, position, position * 10, service);
    }
  }

  private List<Long> positions() {
    return file().snapshots().stream().map(RaftSnapshot::position).toList();
  }

  private RecordingLogFile file() {
    return new RecordingLogFile(dir());
  }

  private File dir() {
    return directory.toFile();
  }

  private Path path() {
    return directory.resolve(RecordingLog.RECORDING_LOG_FILE_NAME);
  }
}
