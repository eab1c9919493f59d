package io.entroq.examples.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.api.EntroQ;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.TaskQuery;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.examples.mapreduce.text.FileListing;
import io.entroq.examples.mapreduce.text.ListedFile;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PlannerTest {
  private final EntroQ queue = EmbeddedEntroQ.inMemory();
  private final JobStore store = new JobStore(queue);

  @AfterEach
  void close() {
    queue.close();
  }

  @Test
  void shouldPlanATaskForEachChunkAndRememberTheFiles() {
    FileListing listing = listing(3_000, 25);
    Job job = Planner.plan(queue, listing, 10, 2, 5);
    assertThat(job.chunks()).isEqualTo(9_000);
    assertThat(store.job()).contains(job);
    assertThat(store.files()).containsExactlyInAnyOrderElementsOf(listing.files());
    assertThat(queue.queues(QueueQuery.all()))
        .containsEntry(Stage.MAP.queue(), 9_002L)
        .containsEntry(Stage.COORDINATE.queue(), 1L);
    assertThat(store.isCounted()).isFalse();
  }

  @Test
  void shouldBeginAnewWhenAnEarlierPlanIsIncomplete() {
    Planner.plan(queue, listing(1_500, 25), 10, 2, 5);
    queue.modify(Modification.delete(queue.tasks(TaskQuery.withIds(Ids.JOB)).get(0))).orThrow();
    assertThat(store.job()).isEmpty();
    Job job = Planner.plan(queue, listing(10, 5), 10, 0, 5);
    assertThat(queue.queues(QueueQuery.all())).containsEntry(Stage.MAP.queue(), 10L);
    assertThat(store.files()).hasSize(10);
    assertThat(store.job()).contains(job);
  }

  @Test
  void shouldPlanNoChunksWhenThereAreNoFiles() {
    Job job = Planner.plan(queue, listing(0, 0), 10, 0, 5);
    assertThat(job.chunks()).isZero();
    assertThat(store.files()).isEmpty();
  }

  private static FileListing listing(int files, long bytes) {
    List<ListedFile> listed =
        IntStream.range(0, files).mapToObj(i -> new ListedFile("file " + i, bytes, i)).toList();
    return new FileListing(Path.of("/root"), listed, 0, List.of());
  }
}
