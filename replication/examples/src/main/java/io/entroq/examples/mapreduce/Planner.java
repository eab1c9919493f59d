package io.entroq.examples.mapreduce;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.examples.mapreduce.text.Chunk;
import io.entroq.examples.mapreduce.text.FileListing;
import io.entroq.examples.mapreduce.text.ListedFile;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the plan of a job to the queue. A plan may take many modifications. The last one inserts
 * the job, and no worker starts before that. The remains of an incomplete plan are removed first.
 * Used once, by one thread.
 */
public final class Planner {
  /** Input per partition, so that the counts of a partition fit into one commit. */
  private static final long PARTITION_BYTES = 4 << 20;

  private static final int PARTITIONS_MIN = 8;
  private static final int PARTITIONS_MAX = 256;
  private static final int BATCH_TASKS = 1_000;
  private static final int BATCH_BYTES = 1 << 20;
  private static final int PAGE_BYTES = 256 << 10;

  private final EntroQ queue;
  private final List<Insert> batch = new ArrayList<>();
  private final StringBuilder page = new StringBuilder();
  private long batchBytes;
  private int pages;
  private int chunks;

  private Planner(EntroQ queue) {
    this.queue = queue;
  }

  /**
   * Plans a job.
   *
   * @param chunkBytes size of a chunk, 1 byte to 256 KiB: its counts must fit into the value of a
   *     task
   * @param poison how many tasks to add that always fail
   * @param seed stored with the job
   */
  public static Job plan(EntroQ queue, FileListing listing, int chunkBytes, int poison, long seed) {
    removeAll(queue);
    return new Planner(queue).write(listing, chunkBytes, poison, seed);
  }

  /** Removes all tasks of a count. */
  static void removeAll(EntroQ queue) {
    for (String name : queue.queues(QueueQuery.startingWith(Queues.PREFIX)).keySet()) {
      TaskQuery some = TaskQuery.in(name).withoutValues().withLimit(BATCH_TASKS);
      for (List<Task> tasks = queue.tasks(some); !tasks.isEmpty(); tasks = queue.tasks(some)) {
        Modification.Builder deletion = Modification.builder();
        tasks.forEach(deletion::delete);
        queue.modify(deletion.build()).orThrow();
      }
    }
  }

  private Job write(FileListing listing, int chunkBytes, int poison, long seed) {
    for (ListedFile file : listing.files()) {
      addToPage(file);
      for (Chunk chunk : file.chunks(chunkBytes)) {
        MapTask task = new MapTask(chunks, chunk);
        add(Stage.MAP.queue(), task.format(), Ids.task(Stage.MAP, chunks));
        chunks++;
      }
    }
    endPage();
    for (int i = 0; i < poison; i++) {
      batch.add(Insert.into(Stage.MAP.queue()).withId(Ids.poison(i)).withValue(MapTask.poison(i)));
    }
    Job job = job(listing, poison, seed);
    batch.add(Coordination.first());
    batch.add(Insert.into(Queues.JOB).withId(Ids.JOB).withValue(job.format()));
    flush();
    return job;
  }

  private Job job(FileListing listing, int poison, long seed) {
    long partitions = listing.bytes() / PARTITION_BYTES;
    return new Job(
        listing.root(),
        listing.files().size(),
        listing.bytes(),
        chunks,
        (int) Math.max(PARTITIONS_MIN, Math.min(PARTITIONS_MAX, partitions)),
        poison,
        seed,
        listing.binaryFiles(),
        listing.unreadable().size());
  }

  private void addToPage(ListedFile file) {
    page.append(FilePage.format(file));
    if (page.length() >= PAGE_BYTES) {
      endPage();
    }
  }

  private void endPage() {
    add(Queues.FILES, page.toString(), Ids.page(pages));
    page.setLength(0);
    pages++;
  }

  private void add(String name, String value, TaskId id) {
    batch.add(Insert.into(name).withId(id).withValue(value));
    batchBytes += value.length();
    if (batch.size() >= BATCH_TASKS || batchBytes >= BATCH_BYTES) {
      flush();
    }
  }

  private void flush() {
    queue.modify(Modification.insert(batch)).orThrow();
    batch.clear();
    batchBytes = 0;
  }
}
