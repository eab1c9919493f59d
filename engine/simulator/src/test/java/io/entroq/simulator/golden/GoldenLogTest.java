package io.entroq.simulator.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.wire.log.Acknowledge;
import io.entroq.codec.wire.log.CallersGone;
import io.entroq.codec.wire.log.Cancel;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.ClaimDocs;
import io.entroq.codec.wire.log.Cut;
import io.entroq.codec.wire.log.Genesis;
import io.entroq.codec.wire.log.Modify;
import io.entroq.codec.wire.log.RaiseLevel;
import io.entroq.codec.wire.log.Tick;
import io.entroq.engine.state.Levels;
import io.entroq.engine.state.StateMachineConfig;
import io.entroq.simulator.check.LoggedRecord;
import io.entroq.simulator.text.CommandText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Old logs keep their meaning: each behavior level's golden log leads every later build to the
 * digests that were recorded when the level was new.
 */
class GoldenLogTest {
  private static final List<StateMachineConfig> SHAPES =
      List.of(
          StateMachineConfig.DEFAULT,
          new StateMachineConfig(1, 1, 1),
          new StateMachineConfig(4, 2, 3),
          new StateMachineConfig(9, 12, 10));

  private static final Map<Integer, Message> MESSAGES =
      Map.of(
          RecordType.GENESIS, Genesis.getDefaultInstance(),
          RecordType.CLAIM, Claim.getDefaultInstance(),
          RecordType.MODIFY, Modify.getDefaultInstance(),
          RecordType.CANCEL, Cancel.getDefaultInstance(),
          RecordType.TICK, Tick.getDefaultInstance(),
          RecordType.CALLERS_GONE, CallersGone.getDefaultInstance(),
          RecordType.ACKNOWLEDGE, Acknowledge.getDefaultInstance(),
          RecordType.RAISE_LEVEL, RaiseLevel.getDefaultInstance(),
          RecordType.CUT, Cut.getDefaultInstance(),
          RecordType.CLAIM_DOCS, ClaimDocs.getDefaultInstance());

  @TempDir private Path folder;

  static IntStream levels() {
    return IntStream.rangeClosed(Levels.MIN, Levels.MAX);
  }

  @ParameterizedTest
  @MethodSource("levels")
  void shouldReachTheRecordedDigestsWhenReplayedAtAnyCapacity(int level) throws Exception {
    GoldenLog log = GoldenLog.read(level);
    for (StateMachineConfig shape : SHAPES) {
      replay(log, shape);
    }
  }

  private static void replay(GoldenLog log, StateMachineConfig shape) throws Exception {
    GoldenReplay replay = new GoldenReplay(shape);
    int compared = 0;
    for (LoggedRecord record : log.records()) {
      Digests actual = replay.apply(record);
      assertThat(replay.effects())
          .as("effects of record %d: %s", record.sequence(), CommandText.of(message(record)))
          .isEqualTo(log.effects().get((int) record.sequence() - 1));
      Digests expected = log.digests().get(compared);
      if (expected.sequence() == record.sequence()) {
        assertThat(actual).as(whatLedTo(expected, log, shape)).isEqualTo(expected);
        assertThat(replay.machine().recomputeContentDigest())
            .as("content digest, computed anew behind record %d", record.sequence())
            .isEqualTo(expected.content());
        compared++;
      }
    }
    assertThat(compared).isEqualTo(log.digests().size());
  }

  /** The commands since the last correct digests. */
  private static String whatLedTo(Digests digests, GoldenLog log, StateMachineConfig shape)
      throws InvalidProtocolBufferException {
    int last = (int) digests.sequence();
    int first = last - 1 - (last - 1) % GoldenLog.DIGEST_INTERVAL;
    StringBuilder text = new StringBuilder();
    text.append(
        "%s: digests differ first at record %d; since the ones before:%n".formatted(shape, last));
    for (LoggedRecord record : log.records().subList(first, last)) {
      text.append("  ").append(record.sequence()).append(": ").append(record.logTimeMs());
      text.append(' ').append(CommandText.of(message(record))).append('\n');
    }
    return text.toString();
  }

  @ParameterizedTest
  @MethodSource("levels")
  void shouldHoldEveryTypeOfRecordAndLeadToEveryCode(int level) throws IOException {
    GoldenLog log = GoldenLog.read(level);
    GoldenReplay replay = new GoldenReplay();
    Set<String> types = new TreeSet<>();
    for (LoggedRecord record : log.records()) {
      replay.apply(record);
      types.add(RecordType.name(record.type()));
    }
    assertThat(replay.machine().level()).isEqualTo(level);
    assertThat(types)
        .containsAll(
            IntStream.rangeClosed(RecordType.GENESIS, RecordType.CLAIM_DOCS)
                .mapToObj(RecordType::name)
                .toList());
    Set<Integer> reachable =
        IntStream.rangeClosed(ResultCodes.OK, ResultCodes.LEVEL_REFUSED)
            .boxed()
            .collect(Collectors.toSet());
    // Takes 2^31 writes of one task.
    reachable.remove(ResultCodes.VERSION_EXHAUSTED);
    reachable.add(ResultCodes.QUEUE_FULL);
    reachable.add(ResultCodes.NEVER_FITS);
    assertThat(replay.codes()).containsAll(reachable);
  }

  /** Most commands that change something have effects, each in an order that is recorded. */
  @ParameterizedTest
  @MethodSource("levels")
  void shouldRecordTheEffectsOfEachRecord(int level) throws IOException {
    GoldenLog log = GoldenLog.read(level);
    assertThat(log.effects()).hasSameSizeAs(log.records());
    assertThat(log.effects().stream().filter(digest -> digest != 0).distinct())
        .hasSizeGreaterThan(log.records().size() / 4);
  }

  @ParameterizedTest
  @MethodSource("levels")
  void shouldRecordDigestsAtRegularIntervalsAndAtTheEnd(int level) throws IOException {
    GoldenLog log = GoldenLog.read(level);
    int last = log.records().size();
    int interval = GoldenLog.DIGEST_INTERVAL;
    assertThat(log.digests())
        .extracting(Digests::sequence)
        .containsExactlyElementsOf(
            Stream.concat(
                    Stream.iterate((long) interval, at -> at < last, at -> at + interval),
                    Stream.of((long) last))
                .toList());
  }

  @ParameterizedTest
  @MethodSource("levels")
  void shouldReachAnotherHistoryWhenOneCommandIsAltered(int level) throws IOException {
    List<LoggedRecord> records = GoldenLog.read(level).records();
    long expected = history(records);
    Set<Integer> alteredTypes = new TreeSet<>();
    for (int i = 0; i < records.size(); i++) {
      // Each type's first, and some more.
      if (alteredTypes.add(records.get(i).type()) || i % 40 == 0) {
        List<LoggedRecord> altered = new ArrayList<>(records);
        altered.set(i, altered(records.get(i)));
        // Through frames, so that all checksums are right again.
        assertThat(history(GoldenLog.decoded(GoldenLog.encoded(altered))))
            .as("history with another record %d", i + 1)
            .isNotEqualTo(expected);
      }
    }
  }

  @Test
  void shouldBeginOneLevelLowerAndBeRaisedInTheMiddle() throws IOException {
    for (int level = Levels.MIN + 1; level <= Levels.MAX; level++) {
      assertRaisedInTheMiddle(level);
    }
  }

  private static void assertRaisedInTheMiddle(int level) throws IOException {
    GoldenLog log = GoldenLog.read(level);
    GoldenReplay replay = new GoldenReplay();
    int raisedAt = 0;
    for (LoggedRecord record : log.records()) {
      replay.apply(record);
      if (raisedAt == 0 && replay.machine().level() == level) {
        raisedAt = (int) record.sequence();
      }
    }
    assertThat(raisedAt).isBetween(log.records().size() / 4, log.records().size() * 3 / 4);
  }

  /** The log must contain what the level changes; otherwise it proves nothing. */
  @Test
  void shouldReachAnotherContentWhenTheLevelStaysWhatItWas() throws IOException {
    for (int level = Levels.MIN + 1; level <= Levels.MAX; level++) {
      assertChangesContent(level);
    }
  }

  private static void assertChangesContent(int level) throws IOException {
    List<LoggedRecord> records = GoldenLog.read(level).records();
    GoldenReplay raised = new GoldenReplay();
    GoldenReplay unraised = new GoldenReplay();
    List<Long> differing = new ArrayList<>();
    long raisedAt = 0;
    for (LoggedRecord record : records) {
      Digests expected = raised.apply(record);
      Digests actual =
          unraised.apply(
              record.type() == RecordType.RAISE_LEVEL ? withoutEffect(record, level) : record);
      if (raised.machine().level() != unraised.machine().level() && raisedAt == 0) {
        raisedAt = record.sequence();
      }
      if (expected.content() != actual.content()) {
        differing.add(record.sequence());
      }
    }
    assertThat(unraised.machine().level()).isEqualTo(level - 1);
    if (level == Levels.IMAGES) {
      // It changes what members record of a snapshot, and nothing of the state.
      assertThat(differing).isEmpty();
      return;
    }
    assertThat(differing).isNotEmpty();
    assertThat(differing.get(0)).isGreaterThan(raisedAt);
  }

  /** A refused command in place of an accepted one. */
  private static LoggedRecord withoutEffect(LoggedRecord raise, int level) {
    RaiseLevel refused = RaiseLevel.newBuilder().setLevel(level - 1).build();
    return LoggedRecord.of(refused, raise.logTimeMs(), raise.sequence());
  }

  @Test
  void shouldWriteALogWhenALevelHasNoneAndThenRefuse() throws IOException {
    GoldenLogWriter.write(folder);
    Path log = folder.resolve(GoldenLog.folder(Levels.MAX)).resolve("log.bin");
    byte[] written = Files.readAllBytes(log);
    assertThat(GoldenLog.decoded(written)).hasSizeGreaterThan(100);

    assertThatThrownBy(() -> GoldenLogWriter.write(folder))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("stays as it is");
    assertThat(Files.readAllBytes(log)).isEqualTo(written);
  }

  /** The same message in other bytes: readers skip unknown fields. */
  private static LoggedRecord altered(LoggedRecord record) throws InvalidProtocolBufferException {
    byte[] payload = bytes(record);
    byte[] longer = Arrays.copyOf(payload, payload.length + 3);
    longer[payload.length] = (byte) 0xf8;
    longer[payload.length + 1] = 0x7f;
    return LoggedRecord.of(message(record), longer, record.logTimeMs(), record.sequence());
  }

  private static long history(List<LoggedRecord> records) {
    GoldenReplay replay = new GoldenReplay();
    records.forEach(replay::apply);
    return replay.machine().historyDigest();
  }

  private static Message message(LoggedRecord record) throws InvalidProtocolBufferException {
    return MESSAGES.get(record.type()).getParserForType().parseFrom(bytes(record));
  }

  private static byte[] bytes(LoggedRecord record) {
    byte[] bytes = new byte[record.payload().capacity()];
    record.payload().getBytes(0, bytes);
    return bytes;
  }
}
