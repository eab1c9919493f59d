package io.entroq.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.codec.result.ListQueuesDecoder;
import io.entroq.codec.result.ListTasksDecoder;
import io.entroq.codec.wire.log.Claim;
import io.entroq.codec.wire.log.ListQueues;
import io.entroq.codec.wire.log.ListTasks;
import io.entroq.codec.wire.log.Modify;
import io.entroq.engine.listing.QueueCursor;
import io.entroq.engine.listing.QueueVisitor;
import io.entroq.engine.listing.TaskCursor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A listing in slices, with commands in between: what stays is shown once, whatever it does. */
class StateListingTest extends StateTestBase {
  private static final int LISTINGS = 300;
  private static final int IDS = 120;
  private static final String[] QUEUES = {"a", "b", "b2", "c/d"};

  private final long seed = Long.getLong("test.seed", System.nanoTime());
  private final Random random = new Random(seed);

  /** Where each task is, by id. */
  private final Map<Long, String> present = new TreeMap<>();

  /** What has been where it was since the listing began. */
  private final Set<Long> stayed = new HashSet<>();

  private final Set<String> stayedQueues = new HashSet<>();

  /** What was in the queue at some time during the listing. */
  private final Set<Long> seenThere = new HashSet<>();

  private String listed = "a";

  /** Likely to be inserted again soon, while it is listed. */
  private long lastDeleted = 1;

  StateListingTest() {
    // Chunks of two records, so that a walk crosses many.
    super(new StateMachineConfig(1, 1, 1));
    System.out.println("ListingTest: -Dtest.seed=" + seed);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 30, TaskCursor.CAPTURED_MAX})
  void shouldShowATaskThatStaysOnceAndNoIdTwice(int capturedMax) {
    for (int i = 0; i < LISTINGS; i++) {
      commands(random.nextInt(60));
      listed = QUEUES[random.nextInt(QUEUES.length)];
      present.forEach(
          (id, queue) -> {
            if (queue.equals(listed)) {
              stayed.add(id);
              seenThere.add(id);
            }
          });

      List<Long> shown = listInSlices(capturedMax);

      assertThat(shown).as("seed %d, listing %d", seed, i).doesNotHaveDuplicates();
      assertThat(shown).as("seed %d, listing %d", seed, i).containsAll(stayed);
      assertThat(seenThere).as("seed %d, listing %d", seed, i).containsAll(shown);
      stayed.clear();
      seenThere.clear();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, TaskCursor.CAPTURED_MAX})
  void shouldNotShowWhatIsInsertedRightAfterItHasBegun(int capturedMax) {
    for (long id = 1; id <= 3; id++) {
      insert("q", id);
    }
    // Leaves a place between the others.
    apply(modify(ANN).addDeletes(ref(2, 0)));
    List<Long> shown = new ArrayList<>();
    TaskCursor cursor =
        new TaskCursor(query(ListTasks.newBuilder().setQueue("q").build()), capturedMax);
    machine.listTasks(cursor, nowMs, 1, task -> shown.add(task.idLow()));
    insert("q", 4);
    while (machine.listTasks(cursor, nowMs, 1, task -> shown.add(task.idLow()))) {
      // Goes on where it stands.
    }
    assertThat(shown).containsExactly(1L, 3L);
  }

  @Test
  void shouldShowAsManyAsAskedForThoughSomeGoMeanwhile() {
    for (long id = 1; id <= 8; id++) {
      insert("q", id);
    }
    List<Long> shown = new ArrayList<>();
    TaskCursor cursor =
        new TaskCursor(query(ListTasks.newBuilder().setQueue("q").setLimit(3).build()));
    machine.listTasks(cursor, nowMs, 1, task -> shown.add(task.idLow()));
    for (long id = 1; id <= 3; id++) {
      if (!shown.contains(id)) {
        apply(modify(ANN).addDeletes(ref(id, 0)));
      }
    }
    machine.listTasks(cursor, nowMs, Integer.MAX_VALUE, task -> shown.add(task.idLow()));
    assertThat(shown).hasSize(3).doesNotHaveDuplicates();
  }

  private List<Long> listInSlices(int capturedMax) {
    List<Long> shown = new ArrayList<>();
    TaskCursor cursor =
        new TaskCursor(query(ListTasks.newBuilder().setQueue(listed).build()), capturedMax);
    while (!cursor.isDone()) {
      boolean isRefused = random.nextInt(5) == 0;
      machine.listTasks(
          cursor,
          nowMs,
          1 + random.nextInt(60),
          task -> {
            if (isRefused) {
              return false;
            }
            Shot shot = Shot.of(task);
            assertThat(shot.queue()).isEqualTo(listed);
            assertThat(present).as("seed %d", seed).containsEntry(shot.id(), listed);
            return shown.add(shot.id());
          });
      commands(random.nextInt(8));
    }
    return shown;
  }

  @Test
  void shouldShowAQueueThatStaysOnce() {
    for (int i = 0; i < LISTINGS; i++) {
      commands(random.nextInt(20));
      stayedQueues.addAll(present.values());
      Map<String, Integer> shown = new HashMap<>();
      QueueCursor cursor = new QueueCursor(query(ListQueues.getDefaultInstance()));
      while (!cursor.isDone()) {
        boolean isRefused = random.nextInt(5) == 0;
        machine.listQueues(
            cursor,
            nowMs,
            1 + random.nextInt(40),
            (name, offset, length, figures) -> {
              if (isRefused) {
                return false;
              }
              assertThat(figures.tasks()).isPositive();
              assertThat(figures.available()).isBetween(0, figures.tasks());
              assertThat(figures.claimed()).isNotNegative();
              assertThat(figures.future()).isNotNegative();
              shown.merge(name.getStringWithoutLengthUtf8(offset, length), 1, Integer::sum);
              return true;
            });
        commands(random.nextInt(4));
      }

      for (String queue : stayedQueues) {
        assertThat(shown).as("seed %d, listing %d", seed, i).containsEntry(queue, 1);
      }
      stayedQueues.clear();
    }
  }

  @Test
  void shouldTakeAQueueInThePlaceOfAnotherForAnother() {
    for (long id = 1; id <= 40; id++) {
      insert("a", id);
      insert("y", 40 + id);
    }
    TaskCursor cursor = new TaskCursor(query(ListTasks.newBuilder().setQueue("a").build()), 0);
    List<Long> shown = new ArrayList<>();
    assertThat(machine.listTasks(cursor, nowMs, 1, task -> shown.add(task.idLow()))).isTrue();
    Modify.Builder delete = modify(ANN);
    for (long id = 1; id <= 40; id++) {
      delete.addDeletes(ref(id, 0));
    }
    apply(delete);
    // Tasks as old as the listing come to a new queue, which gets the place of the first.
    for (long id = 41; id <= 80; id++) {
      apply(modify(ANN).addChanges(change("z", id, 0, nowMs)));
    }

    assertThat(machine.listTasks(cursor, nowMs, 100_000, task -> shown.add(task.idLow())))
        .isFalse();

    assertThat(shown).hasSize(1);
    assertThat(cursor.isDone()).isTrue();
  }

  @Test
  void shouldLookUpNamesAndMatchPrefixesWithoutShowingAQueueTwice() {
    long id = 1;
    for (String queue : List.of("a", "ab", "abc", "b", "ba", "c", "ca")) {
      insert(queue, id++);
    }
    ListQueues query =
        ListQueues.newBuilder()
            .addMatchPrefix("ab")
            .addMatchPrefix("abc")
            .addMatchPrefix("b")
            .addMatchExact("ba")
            .addMatchExact("c")
            .addMatchExact("c")
            .addMatchExact("missing")
            .build();

    assertThat(names(query, 1)).containsExactlyInAnyOrder("ab", "abc", "b", "ba", "c");
    assertThat(names(query.toBuilder().setLimit(3).build(), 1)).hasSize(3);
    assertThat(names(ListQueues.newBuilder().addMatchExact("ca").build(), 1)).containsExactly("ca");
    assertThat(names(ListQueues.newBuilder().addMatchPrefix("").build(), 1)).hasSize(7);
  }

  @Test
  void shouldCountWhatHasComeDueTheSameInOneSliceAsInMany() {
    for (long id = 1; id <= 500; id++) {
      apply(modify(ANN).addInserts(insert("q", id, nowMs + 1 + random.nextInt(1_000))));
    }
    apply(Claim.newBuilder().setClaimant(ANN).addQueues("q").setLeaseMs(100));

    for (int atMs : new int[] {0, 1, 300, 700, 1_000, 2_000}) {
      List<Integer> whole = available(nowMs + atMs, Integer.MAX_VALUE);
      List<Integer> sliced = available(nowMs + atMs, 1);
      assertThat(sliced).as("seed %d", seed).isEqualTo(whole);
      assertThat(whole).hasSize(1).first().isEqualTo(dueAt(nowMs + atMs));
    }
  }

  @Test
  void shouldNotGiveAQueueTheDueTasksOfAnotherThatHadItsPlace() {
    for (long id = 1; id <= 100; id++) {
      apply(modify(ANN).addInserts(insert("a", id, nowMs + 1)));
    }
    QueueCursor cursor = new QueueCursor(query(ListQueues.getDefaultInstance()));
    QueueVisitor none =
        (name, offset, length, figures) -> {
          throw new AssertionError("shown though its tasks are not counted");
        };
    assertThat(machine.listQueues(cursor, nowMs + 1, 300, none)).isTrue();
    Modify.Builder delete = modify(ANN);
    for (long id = 1; id <= 100; id++) {
      delete.addDeletes(ref(id, 0));
    }
    apply(delete);
    apply(modify(ANN).addInserts(insert("z", 101, nowMs + 1_000)));

    List<Integer> available = new ArrayList<>();
    while (!cursor.isDone()) {
      machine.listQueues(
          cursor,
          nowMs + 1,
          300,
          (name, offset, length, figures) -> available.add(figures.available()));
    }

    assertThat(available).doesNotContain(1);
  }

  private int dueAt(long atMs) {
    int due = 0;
    for (long id = 1; id <= 500; id++) {
      due += find(id).arrivalMs() <= atMs ? 1 : 0;
    }
    return due;
  }

  private List<Integer> available(long atMs, int effort) {
    List<Integer> available = new ArrayList<>();
    list(
        ListQueues.getDefaultInstance(),
        atMs,
        effort,
        (name, offset, length, figures) -> available.add(figures.available()));
    return available;
  }

  private List<String> names(ListQueues query, int effort) {
    List<String> names = new ArrayList<>();
    list(
        query,
        nowMs,
        effort,
        (name, offset, length, figures) ->
            names.add(name.getStringWithoutLengthUtf8(offset, length)));
    return names;
  }

  private void list(ListQueues query, long atMs, int effort, QueueVisitor sink) {
    QueueCursor cursor = new QueueCursor(query(query));
    boolean goesOn = true;
    while (goesOn) {
      goesOn = machine.listQueues(cursor, atMs, effort, sink);
    }
    assertThat(cursor.isDone()).isTrue();
  }

  private static ListTasksDecoder query(ListTasks query) {
    ListTasksDecoder decoder = new ListTasksDecoder();
    byte[] bytes = query.toByteArray();
    decoder.wrap(new UnsafeBuffer(bytes), 0, bytes.length);
    return decoder;
  }

  private static ListQueuesDecoder query(ListQueues query) {
    ListQueuesDecoder decoder = new ListQueuesDecoder();
    byte[] bytes = query.toByteArray();
    decoder.wrap(new UnsafeBuffer(bytes), 0, bytes.length);
    return decoder;
  }

  // Commands by chance.

  private void commands(int count) {
    for (int i = 0; i < count; i++) {
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3 -> insertOne();
        case 4, 5 -> apply(claim(ANN, queue()).setLeaseMs(1 + random.nextInt(500)));
        case 6, 7, 8 -> changeOne();
        case 9 -> deleteOne();
        case 10 -> later(random.nextInt(300));
        default -> {
          if (random.nextInt(20) == 0) {
            empty(queue());
          }
        }
      }
    }
  }

  private String queue() {
    return QUEUES[random.nextInt(QUEUES.length)];
  }

  private long arrival() {
    return random.nextBoolean() ? nowMs : nowMs + random.nextInt(1_000);
  }

  private void insertOne() {
    long id = random.nextBoolean() ? lastDeleted : 1L + random.nextInt(IDS);
    if (!present.containsKey(id)) {
      String queue = queue();
      apply(modify(ANN).addInserts(insert(queue, id, arrival())));
      present.put(id, queue);
      noteThere(id, queue);
    }
  }

  private void changeOne() {
    long id = 1L + random.nextInt(IDS);
    String before = present.get(id);
    if (before != null) {
      String queue = random.nextBoolean() ? before : queue();
      int version = find(id).version();
      apply(modify(ANN).addChanges(change(queue, id, version, arrival())));
      assertThat(find(id).queue()).isEqualTo(queue);
      if (!queue.equals(before)) {
        noteGone(id);
      }
      present.put(id, queue);
      noteThere(id, queue);
    }
  }

  private void deleteOne() {
    long id = 1L + random.nextInt(IDS);
    if (present.containsKey(id)) {
      delete(id);
    }
  }

  private void delete(long id) {
    apply(modify(ANN).addDeletes(ref(id, find(id).version())));
    assertThat(find(id)).isNull();
    noteGone(id);
    present.remove(id);
    lastDeleted = id;
    stayedQueues.retainAll(present.values());
  }

  private void empty(String queue) {
    for (long id : List.copyOf(present.keySet())) {
      if (present.get(id).equals(queue)) {
        delete(id);
      }
    }
  }

  private void noteThere(long id, String queue) {
    if (queue.equals(listed)) {
      seenThere.add(id);
    }
    stayedQueues.retainAll(present.values());
  }

  private void noteGone(long id) {
    stayed.remove(id);
  }
}
