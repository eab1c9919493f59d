package io.entroq.examples.mapreduce;

import io.entroq.api.TaskId;

/**
 * Ids of what is planned, made from its place in the plan, so that planning the same thing twice
 * collides. What the steps insert has ids made by the engine; {@link Marker} says why.
 */
final class Ids {
  /** The job. */
  static final TaskId JOB = TaskId.of("wordcount-job");

  /** The end of the job, with what the run that ended it had to say. */
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

  /** A task that can never be done. */
  static TaskId poison(int number) {
    return JOB.derive("poison/" + number);
  }
}
