package io.entroq.simulator.client.worker;

import static io.entroq.simulator.check.Broken.assertBroken;
import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.Doc;
import io.entroq.api.DocInsert;
import io.entroq.api.Modification;
import io.entroq.simulator.check.Invariant;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Docs that count work, compared with what was done. */
class WorkCountersTest {
  private static final Work WORK = new Work(5, WorkKind.COUNTED);

  private final WorkCounters counters = new WorkCounters();
  private final WorkCounter counter = counters.of(WORK);

  /** The doc as it is once some work was counted, whether there was one before or not. */
  private List<Doc> counted(List<Doc> before, Work work) {
    Modification modification = counter.count(before, work);
    DocInsert made =
        before.isEmpty()
            ? modification.docs().inserts().get(0)
            : DocInsert.into(WorkCounter.NAMESPACE, counter.id())
                .withValue(modification.docs().changes().get(0).value());
    Instant now = Instant.ofEpochMilli(EngineService.START_MS);
    Doc.Id id = new Doc.Id(WorkCounter.NAMESPACE, counter.id());
    return List.of(new Doc(id, 1, "", now, made.key(), "", made.value(), now, now));
  }

  @Test
  void shouldTakeWorkThatIsCountedAsItWasDone() {
    Work other = new Work(6, WorkKind.COUNTED);
    counter.done(WORK);
    counter.done(other);

    counters.requireCounted(counted(counted(List.of(), other), WORK));
  }

  @Test
  void shouldTakeItThatThereIsNoDocBeforeTheFirstCount() {
    counters.requireCounted(List.of());
  }

  @Test
  void shouldMissWorkThatIsNotCounted() {
    counter.done(WORK);

    assertBroken(Invariant.WORK_COUNTED_ONCE, () -> counters.requireCounted(List.of()));
  }

  @Test
  void shouldSeeWorkThatIsCountedTwice() {
    counter.done(WORK);
    List<Doc> twice = counted(counted(List.of(), WORK), WORK);

    assertBroken(Invariant.WORK_COUNTED_ONCE, () -> counters.requireCounted(twice));
  }

  @Test
  void shouldSeeOtherWorkInThePlaceOfWhatWasDone() {
    counter.done(WORK);
    List<Doc> other = counted(List.of(), new Work(6, WorkKind.COUNTED));

    assertBroken(Invariant.WORK_COUNTED_ONCE, () -> counters.requireCounted(other));
  }

  @Test
  void shouldExpectNothingOfWhatNobodyKnows() {
    counter.done(WORK);
    counters.spoil(counter);

    counters.requireCounted(List.of());
    assertThat(counters.of(WORK).id()).isNotEqualTo(counter.id());
  }

  @Test
  void shouldExpectNothingAfterALoss() {
    counter.done(WORK);
    counters.lost();

    counters.requireCounted(List.of());
    assertThat(counters.of(WORK).id()).isNotEqualTo(counter.id());
  }
}
