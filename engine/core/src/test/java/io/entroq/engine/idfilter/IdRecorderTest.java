package io.entroq.engine.idfilter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.record.RecordType;
import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.Tick;
import io.entroq.engine.log.LogException;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.ResultSink;
import io.entroq.engine.state.StateMachine;
import io.entroq.engine.state.StateMachineConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdRecorderTest {
  private static final long ROOM_BYTES = 1 << 20;

  @TempDir private Path data;
  private final StateMachine machine = new StateMachine(StateMachineConfig.DEFAULT);

  @BeforeEach
  void begin() {
    Genesis genesis =
        Genesis.newBuilder()
            .setLogIdHigh(1)
            .setLogIdLow(2)
            .setSeed(3)
            .setLevel(Levels.MAX)
            .setCreatedMs(1)
            .build();
    apply(RecordType.GENESIS, genesis.toByteArray());
  }

  @AfterEach
  void close() {
    machine.close();
  }

  private void apply(int type, byte[] command) {
    machine.apply(
        type,
        new UnsafeBuffer(command),
        0,
        command.length,
        0,
        machine.logTimeMs() + 1,
        machine.sequence() + 1,
        ResultSink.DISCARDING);
  }

  private void step() {
    apply(RecordType.TICK, Tick.getDefaultInstance().toByteArray());
  }

  /** Notes so many ids as those of the next step. */
  private void note(IdRecorder recorder, long first, int count) {
    for (int i = 0; i < count; i++) {
      recorder.onTask(first, i);
    }
    step();
  }

  /** From which step on there is none of an id. */
  private long quiet(long high, long low) {
    return new IdFilterDirectory(data)
        .quiet(List.of(new IdKey(high, low, "")))
        .before(machine.sequence(), machine.historyDigest(), 1, 2);
  }

  private void write(IdRecorder recorder) {
    recorder.cut();
    new IdFilterDirectory(data).write(recorder, ROOM_BYTES);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(data.resolve(IdFilterDirectory.NAME))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void shouldBeginAnotherFilterWhenOneIsFull() throws IOException {
    IdRecorder recorder = new IdRecorder();
    recorder.begin(machine);
    note(recorder, 1, 50_000);
    note(recorder, 2, 50_000);
    note(recorder, 3, 10);
    write(recorder);
    long last = machine.sequence();
    assertThat(last).isEqualTo(4);
    assertThat(quiet(1, 49_999)).isEqualTo(3);
    assertThat(quiet(2, 0)).isEqualTo(3);
    assertThat(quiet(3, 9)).isEqualTo(4);
    assertThat(quiet(4, 0)).isEqualTo(1);
    assertThat(files()).containsExactly("ids-00000000000000000004");
    step();
    write(recorder);
    assertThat(quiet(3, 9)).as("steps without effects").isEqualTo(4);
    assertThat(quiet(4, 0)).isEqualTo(1);
  }

  @Test
  void shouldWantEachTaskOnceForEachFilter() {
    IdRecorder recorder = new IdRecorder(8, 2);
    recorder.begin(machine);
    long begin = machine.sequence();
    long first = begin + 1;
    assertThat(recorder.wants(begin, first)).as("inserted before").isTrue();
    assertThat(recorder.wants(first, first)).as("inserted now").isTrue();
    assertThat(recorder.wants(first, first + 1)).as("inserted in this filter").isFalse();
    note(recorder, 1, 2);
    recorder.onStepEnd(first);
    assertThat(recorder.wants(first, first + 1)).as("inserted in the filter before").isTrue();
    note(recorder, 2, 1);
    recorder.cut();
    assertThat(recorder.wants(first + 1, first + 2)).as("inserted before the cut").isTrue();
  }

  @Test
  void shouldSayThatItDoesNotKnowWhenAllFiltersAreInUse() {
    IdRecorder recorder = new IdRecorder(2, IdFilter.IDS_MAX);
    recorder.begin(machine);
    note(recorder, 1, 90_000);
    note(recorder, 2, 90_000);
    note(recorder, 3, 1);
    recorder.cut();
    note(recorder, 4, 1);
    recorder.cut();
    new IdFilterDirectory(data).write(recorder, ROOM_BYTES);
    // None was free for the third step, and for the fourth.
    assertThat(quiet(9, 9)).isEqualTo(5);
    note(recorder, 5, 1);
    write(recorder);
    assertThat(quiet(5, 0)).isEqualTo(6);
    assertThat(quiet(9, 9)).isEqualTo(5);
  }

  @Test
  void shouldWriteNothingForNoStepsAndNothingWithoutRoom() {
    IdRecorder recorder = new IdRecorder();
    recorder.begin(machine);
    write(recorder);
    assertThat(data.resolve(IdFilterDirectory.NAME)).doesNotExist();
    step();
    recorder.cut();
    new IdFilterDirectory(data).write(recorder, Long.MAX_VALUE / 2);
    assertThat(data.resolve(IdFilterDirectory.NAME)).doesNotExist();
  }

  @Test
  void shouldUseTheMemoryOfAStretchAgainThatCouldNotBeWritten() throws IOException {
    IdRecorder recorder = new IdRecorder(1, IdFilter.IDS_MAX);
    recorder.begin(machine);
    Files.write(data.resolve(IdFilterDirectory.NAME), new byte[1]);
    note(recorder, 1, 1);
    assertThatThrownBy(() -> write(recorder))
        .isInstanceOf(LogException.class)
        .hasMessageContaining("Cannot write the ids of records 2 to 2 to");
    Files.delete(data.resolve(IdFilterDirectory.NAME));
    note(recorder, 2, 1);
    write(recorder);
    assertThat(quiet(2, 0)).isEqualTo(3);
    assertThat(quiet(1, 0)).isEqualTo(2);
  }

  @Test
  void shouldRemoveWhatNobodyReadsAndCountTheRest() throws IOException {
    IdRecorder recorder = new IdRecorder();
    recorder.begin(machine);
    for (int i = 0; i < 4; i++) {
      note(recorder, i, 1);
      write(recorder);
    }
    Path directory = data.resolve(IdFilterDirectory.NAME);
    Files.write(directory.resolve("ids-00000000000000000003.tmp"), new byte[5]);
    Files.write(directory.resolve("ids-00000000000000000009.tmp"), new byte[5]);
    Files.write(directory.resolve("notes"), new byte[5]);
    IdFilterDirectory filters = new IdFilterDirectory(data);
    long each = Files.size(directory.resolve("ids-00000000000000000003"));
    assertThat(filters.bytes(2, 4)).isEqualTo(2 * each);
    assertThat(filters.bytes(0, 99)).isEqualTo(4 * each);
    assertThat(filters.bytes(9, 2)).isZero();
    filters.removeUpTo(3);
    assertThat(files())
        .containsExactly(
            "ids-00000000000000000004",
            "ids-00000000000000000005",
            "ids-00000000000000000009.tmp",
            "notes");
    assertThat(quiet(0, 0)).isEqualTo(3);
  }
}
