package io.entroq.examples.mapreduce;

import io.entroq.api.TaskId;

/**
 * Ids of planned tasks. They derive from the position in the plan, so planning the same job twice
 * collides. Steps insert tasks with ids that the engine assigns; see {@link Marker}.
 */
final class Ids {
  static final TaskId JOB = TaskId.of("wordcount-job");

  /** The end of the job, with the figures of the run that finished it. */
  static final TaskId FINISHED = TaskId.of("wordcount-finished");

  private Ids() {}

  /** A page of the list of files. */
  static TaskId page(int number) {
    return JOB.derive("files/" + number);
  }

  /** A task of a stage. */
  static TaskId task(Stage stage, int ordinal) {
    return JOB.derive(stage.label() + "/" + ordinal);
  }

  /** A task that always fails. */
  static TaskId poison(int number) {
    return JOB.derive("poison/" + number);
  }
}
