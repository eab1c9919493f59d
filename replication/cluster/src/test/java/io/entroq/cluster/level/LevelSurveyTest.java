package io.entroq.cluster.level;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Members report their levels when asked; only answers to the question count. */
class LevelSurveyTest {
  private static final int MEMBERS = 3;
  private static final LevelRange OLD = new LevelRange(1, 4);
  private static final LevelRange NEW = new LevelRange(2, 5);
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration WHILE = Duration.ofSeconds(1);
  private static final Duration SHORT = Duration.ofMillis(20);

  /** Messages sent that have not come out of the log yet. */
  private final Queue<DirectBuffer> log = new ArrayDeque<>();

  private final List<LevelSurvey> members = new ArrayList<>();

  @BeforeEach
  void begin() {
    for (int id = 0; id < MEMBERS; id++) {
      members.add(member(id, id == 2 ? OLD : NEW));
    }
  }

  private LevelSurvey member(int id, LevelRange range) {
    return new LevelSurvey(id, MEMBERS, range, this::say);
  }

  private void say(DirectBuffer message) {
    synchronized (log) {
      log.add(message);
    }
  }

  /** Delivers all messages, and the answers to them. */
  private void comeOut(boolean isPresent) {
    for (DirectBuffer message = next(); message != null; message = next()) {
      for (LevelSurvey member : members) {
        member.onMessage(message, 0, isPresent);
      }
    }
  }

  private DirectBuffer next() {
    synchronized (log) {
      return log.poll();
    }
  }

  @Test
  void shouldReturnTheLevelsOfAllMembers() {
    CompletableFuture<SortedMap<Integer, LevelRange>> asked = members.get(1).run(LONG);
    CompletableFuture<SortedMap<Integer, LevelRange>> other = members.get(0).run(LONG);
    comeOut(true);
    assertThat(asked.join()).isEqualTo(Map.of(0, NEW, 1, NEW, 2, OLD));
    assertThat(other.join()).isEqualTo(asked.join());
  }

  @Test
  void shouldOmitMembersThatAreAway() {
    members.remove(1);
    CompletableFuture<SortedMap<Integer, LevelRange>> asked = members.get(0).run(WHILE);
    comeOut(true);
    assertThat(asked.join()).isEqualTo(Map.of(0, NEW, 2, OLD));
  }

  @Test
  void shouldRepeatLostQuestions() {
    CompletableFuture<SortedMap<Integer, LevelRange>> asked = members.get(0).run(LONG);
    assertThat(next()).as("the question, lost").isNotNull();
    while (!asked.isDone()) {
      comeOut(true);
    }
    assertThat(asked.join()).hasSize(MEMBERS);
  }

  @Test
  void shouldIgnoreOlderAnswers() {
    CompletableFuture<SortedMap<Integer, LevelRange>> asked = members.get(0).run(LONG);
    long question = LevelMessage.read(next(), 0, MEMBERS).orElseThrow().question();
    CompletableFuture<SortedMap<Integer, LevelRange>> later = members.get(0).run(LONG);
    for (int id = 0; id < MEMBERS; id++) {
      UnsafeBuffer answer = new UnsafeBuffer(new byte[LevelMessage.BYTES]);
      new LevelMessage(true, id, question, OLD).write(answer);
      members.get(0).onMessage(answer, 0, true);
    }
    assertThat(asked.join()).isEqualTo(Map.of(0, OLD, 1, OLD, 2, OLD));
    assertThat(later).isNotDone();
    comeOut(true);
    assertThat(later.join()).isEqualTo(Map.of(0, NEW, 1, NEW, 2, OLD));
  }

  @Test
  void shouldNotAnswerReplayedQuestions() {
    CompletableFuture<SortedMap<Integer, LevelRange>> asked = members.get(0).run(SHORT);
    comeOut(false);
    assertThat(asked.join()).isEmpty();
    assertThat(log).isEmpty();
  }

  @Test
  void shouldUseAMembersLastAnswer() {
    LevelSurvey away = members.remove(1);
    CompletableFuture<SortedMap<Integer, LevelRange>> asked = members.get(0).run(LONG);
    DirectBuffer question = next();
    members.forEach(member -> member.onMessage(question, 0, true));
    // Replaced by another build, it answers again.
    members.set(1, member(2, NEW));
    members.get(1).onMessage(question, 0, true);
    comeOut(true);
    assertThat(asked).isNotDone();
    away.onMessage(question, 0, true);
    comeOut(true);
    assertThat(asked.join()).containsEntry(2, NEW);
  }

  @ParameterizedTest
  @CsvSource({
    "2,2,version 2",
    "3,2,neither question nor answer",
    "3,-1,neither question nor answer",
    "4,3,a member that there is not",
    "4,-1,a member that there is not",
    "16,0,from level 0",
    "20,1,less than the oldest",
  })
  void shouldIgnoreInvalidMessages(int at, int value, String what) {
    CompletableFuture<SortedMap<Integer, LevelRange>> asked = members.get(0).run(SHORT);
    UnsafeBuffer message = new UnsafeBuffer(new byte[LevelMessage.BYTES]);
    message.putBytes(0, next(), 0, LevelMessage.BYTES);
    if (at < 4) {
      message.putByte(at, (byte) value);
    } else {
      message.putInt(at, value, LITTLE_ENDIAN);
    }
    assertThat(LevelMessage.read(message, 0, MEMBERS)).as(what).isEmpty();
    members.forEach(member -> member.onMessage(message, 0, true));
    assertThat(asked.join()).as(what).isEmpty();
  }

  @Test
  void shouldRecognizeItsMessages() {
    UnsafeBuffer message = new UnsafeBuffer(new byte[LevelMessage.BYTES + 1]);
    new LevelMessage(true, 1, 17, NEW).write(message);
    assertThat(LevelMessage.matches(message, 0, LevelMessage.BYTES)).isTrue();
    assertThat(LevelMessage.matches(message, 0, LevelMessage.BYTES - 1)).isFalse();
    assertThat(LevelMessage.matches(message, 1, LevelMessage.BYTES)).isFalse();
    assertThat(LevelMessage.read(message, 0, MEMBERS)).contains(new LevelMessage(true, 1, 17, NEW));
  }

  @Test
  void shouldExplainWhyALevelIsNotPossible() {
    LevelSupport all = new LevelSupport(3, 2, new TreeMap<>(Map.of(0, NEW, 1, OLD)));
    assertThat(all.objection(4)).isEmpty();
    assertThat(all.objection(5))
        .contains(
            "Behavior level 5 is not possible: the cluster is at 3, and member 1 supports 1 to 4");
    assertThat(all.objection(2).orElseThrow()).endsWith("it cannot be lowered");
    LevelSupport some = new LevelSupport(3, 3, all.supported());
    assertThat(some.objection(4).orElseThrow())
        .endsWith(
            "member 2 did not answer: it is away, did not answer in time (try again), or its"
                + " build is too old to answer");
    assertThat(some.silent()).containsExactly(2);
  }
}
