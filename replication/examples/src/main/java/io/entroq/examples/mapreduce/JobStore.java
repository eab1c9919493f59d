package io.entroq.examples.mapreduce;

import io.entroq.api.EntroQ;
import io.entroq.api.Insert;
import io.entroq.api.Modification;
import io.entroq.api.QueueQuery;
import io.entroq.api.Task;
import io.entroq.api.TaskQuery;
import io.entroq.examples.mapreduce.text.ListedFile;
import io.entroq.examples.mapreduce.text.WordCounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads and finishes the job in a queue. Thread-safe. */
public final class JobStore {
  private final EntroQ queue;

  public JobStore(EntroQ queue) {
    this.queue = queue;
  }

  /** The job; empty if none is planned. */
  public Optional<Job> job() {
    return queue.tasks(TaskQuery.withIds(Ids.JOB)).stream()
        .findFirst()
        .map(task -> Job.parse(task.text()));
  }

  /** A queue that does not belong to the demo; empty if there is none. */
  public Optional<String> foreignQueue() {
    return queue.queues(QueueQuery.all()).keySet().stream()
        .filter(name -> !name.startsWith(Queues.PREFIX))
        .findFirst();
  }

  /** The files of the job. */
  public List<ListedFile> files() {
    List<ListedFile> files = new ArrayList<>();
    queue
        .tasks(TaskQuery.in(Queues.FILES))
        .forEach(page -> files.addAll(FilePage.parse(page.text())));
    return files;
  }

  /** Whether every stage of a planned job has ended. */
  public boolean isCounted() {
    return queue.areQueuesEmpty(QueueQuery.named(Stage.COORDINATE.queue()));
  }

  /** How many tasks of each stage are committed. */
  public Map<Stage, Long> committed() {
    String[] names = Arrays.stream(Stage.values()).map(Stage::doneQueue).toArray(String[]::new);
    Map<String, Long> sizes = queue.queues(QueueQuery.named(names));
    Map<Stage, Long> committed = new EnumMap<>(Stage.class);
    for (Stage stage : Stage.values()) {
      committed.put(stage, sizes.getOrDefault(stage.doneQueue(), 0L));
    }
    return committed;
  }

  /** How many tasks are in quarantine. */
  public long quarantined() {
    String[] names = Arrays.stream(Stage.values()).map(Stage::errorQueue).toArray(String[]::new);
    return queue.queues(QueueQuery.named(names)).values().stream().mapToLong(n -> n).sum();
  }

  /** Tasks in quarantine that were not meant to fail, each with the reason. */
  public List<String> failures() {
    List<String> failures = new ArrayList<>();
    for (Stage stage : Stage.values()) {
      for (Task task : queue.tasks(TaskQuery.in(stage.errorQueue()))) {
        if (stage != Stage.MAP || !MapTask.isPoison(task.text())) {
          failures.add(stage.label() + ": " + lastLine(task.err()));
        }
      }
    }
    return failures;
  }

  /** Counts the markers of every stage. */
  public Audit audit(Job job) {
    Audit audit = new Audit();
    for (Stage stage : Stage.values()) {
      List<Marker> markers =
          queue.tasks(TaskQuery.in(stage.doneQueue())).stream()
              .map(task -> Marker.parse(task.text()))
              .toList();
      audit.add(job.tasks(stage), markers);
      queue
          .tasks(TaskQuery.in(stage.errorQueue()).withoutValues())
          .forEach(task -> audit.addQuarantined(task.claims()));
    }
    return audit;
  }

  /** How often each word occurs, once the job is counted. */
  public WordCounts result() {
    WordCounts counts = new WordCounts();
    queue
        .tasks(TaskQuery.in(Queues.RESULT))
        .forEach(task -> CountsCodec.decode(task.value(), counts));
    return counts;
  }

  /** Records that the result was verified, with the figures of the run. */
  public void finish(String figures) {
    queue
        .modify(
            Modification.insert(Insert.into(Queues.JOB).withId(Ids.FINISHED).withValue(figures)))
        .orThrow();
  }

  /** The end of the job; empty unless its result was verified. */
  public Optional<Finished> finished() {
    return queue.tasks(TaskQuery.withIds(Ids.FINISHED)).stream()
        .findFirst()
        .map(task -> new Finished(task.text(), task.created()));
  }

  private static String lastLine(String text) {
    return text.substring(text.lastIndexOf('\n') + 1);
  }
}
