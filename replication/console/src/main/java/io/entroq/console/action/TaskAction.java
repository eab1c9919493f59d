package io.entroq.console.action;

import io.entroq.codec.wire.edge.ChangeMode;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TaskChange;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.codec.wire.edge.TaskID;
import io.entroq.console.read.Visit;
import io.entroq.console.value.TaskWords;
import io.entroq.console.value.TimeText;
import io.entroq.console.view.Cell;
import io.entroq.console.view.Field;
import io.entroq.console.view.Link;
import io.entroq.console.view.Page;
import io.entroq.console.view.Part;
import io.entroq.console.web.PageException;
import io.entroq.console.web.PageUrls;
import io.entroq.console.web.Places;
import io.entroq.service.call.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What can be done with a task that is as the visitor has seen it. Only {@link #TAKE_BACK} can be
 * done while somebody else holds it.
 */
public enum TaskAction implements Action {
  RETRY("Retry now", "Makes the task available at once. Its value, failures and error stay.") {
    @Override
    String text(Task task) {
      String home = home(task);
      return home.isEmpty()
          ? super.text(task)
          : "Moves the task back to %s, available at once, with failures, claims and error cleared."
              .formatted(home);
    }

    @Override
    void write(ModifyRequest.Builder request, Task task, Visit visit, long nowMs) {
      String home = home(task);
      if (home.isEmpty()) {
        request.addChanges(lease(task, 0));
      } else {
        TaskData.Builder data =
            same(task, nowMs).setQueue(home).clearByMs().clearAttempt().clearErr();
        request.addChanges(change(task).setNewData(data).setMode(ChangeMode.CHANGE_RESET_CLAIMS));
      }
    }
  },

  DELAY(
      "Delay",
      "Keeps the task back. Until then, only you can change it, and others can take it back.") {
    @Override
    List<Field> fields(Visit visit, Task task) {
      return List.of(Field.number("seconds", "For how many seconds", "60", ""));
    }

    @Override
    void write(ModifyRequest.Builder request, Task task, Visit visit, long nowMs) {
      int seconds = visit.number("seconds", 1, SECONDS_MAX);
      request.addChanges(lease(task, seconds * 1_000L));
    }
  },

  MOVE("Move", "Moves the task to another queue. Its value, failures and error stay.") {
    @Override
    List<Field> fields(Visit visit, Task task) {
      return List.of(Field.line("to", "Queue to move it to", home(task), ""));
    }

    @Override
    void write(ModifyRequest.Builder request, Task task, Visit visit, long nowMs) {
      if (visit.text("to").isEmpty()) {
        throw PageException.invalid("Name the queue to move the task to.");
      }
      TaskData.Builder data = same(task, nowMs).setQueue(visit.text("to"));
      request.addChanges(change(task).setNewData(data));
    }
  },

  EDIT("Edit its value", "Replaces the value. The failures and the error stay.") {
    @Override
    List<Field> fields(Visit visit, Task task) {
      return EnteredValue.fields(task);
    }

    @Override
    void write(ModifyRequest.Builder request, Task task, Visit visit, long nowMs) {
      TaskData.Builder data = same(task, nowMs).clearRaw().clearValue();
      EnteredValue.of(visit).addTo(data);
      request.addChanges(change(task).setNewData(data));
    }
  },

  DELETE("Delete", "Deletes the task. It cannot be brought back.") {
    @Override
    void write(ModifyRequest.Builder request, Task task, Visit visit, long nowMs) {
      request.addDeletes(ref(task));
    }
  },

  TAKE_BACK(
      "Take back",
      "Ends the lease: the task is available at once, and its holder can no longer write to it. Its"
          + " value, failures and error stay.") {
    @Override
    void write(ModifyRequest.Builder request, Task task, Visit visit, long nowMs) {
      request.addChanges(
          change(task)
              .setNewData(TaskData.getDefaultInstance())
              .setMode(ChangeMode.CHANGE_TAKE_BACK));
    }
  };

  /** Of the queues to which workers move tasks that failed for good. */
  private static final String DEAD_SUFFIX = "/err";

  private static final int SECONDS_MAX = 365 * 24 * 3_600;

  private final String label;
  private final String text;

  TaskAction(String label, String text) {
    this.label = label;
    this.text = text;
  }

  /** Adds the write. */
  abstract void write(ModifyRequest.Builder request, Task task, Visit visit, long nowMs);

  /** What it does with a task. */
  String text(Task task) {
    return text;
  }

  /** Where a dead task came from, as a redrive finds it; empty if the task is not dead. */
  static String home(Task task) {
    if (!task.getOrigin().isEmpty()) {
      return task.getOrigin();
    }
    String queue = task.getQueue();
    boolean isDead = queue.endsWith(DEAD_SUFFIX) && queue.length() > DEAD_SUFFIX.length();
    return isDead ? queue.substring(0, queue.length() - DEAD_SUFFIX.length()) : "";
  }

  /** What it asks for; nothing unless it says otherwise. */
  List<Field> fields(Visit visit, Task task) {
    return List.of();
  }

  /** What a link to it says. */
  public String label() {
    return label;
  }

  /** The page that asks. */
  public String url(Task task) {
    return Places.action(
        path(), "id", task.getId(), "version", Integer.toString(task.getVersion()));
  }

  @Override
  public String path() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @Override
  public Page ask(Visit visit) {
    Task task = task(visit);
    long nowMs = visit.reads().timeMs();
    List<Part> parts = new ArrayList<>();
    parts.add(
        new Part.Facts(
            "",
            List.of(
                new Part.Fact("Task", Cell.link(task.getId(), Places.task(task.getId()))),
                new Part.Fact("Queue", Cell.of(task.getQueue())),
                new Part.Fact("State", Cell.of(TaskWords.state(task, nowMs))))));
    List<Field> fields = new ArrayList<>();
    fields.add(Field.hidden("id", task.getId()));
    fields.add(Field.hidden("version", Integer.toString(task.getVersion())));
    fields.addAll(fields(visit, task));
    parts.add(form(text(task), fields, label, new Link("Do nothing", Places.task(task.getId()))));
    return new Page(label + ": task " + task.getId(), "", "", parts);
  }

  @Override
  public ActionOutcome run(Visit visit) {
    Task task = task(visit);
    if (!visit.text("version").equals(Integer.toString(task.getVersion()))) {
      throw PageException.invalid(
          "The task has changed since you looked at it, so nothing was done. Look at it again.");
    }
    long nowMs = visit.reads().timeMs();
    if (this != TAKE_BACK && TaskWords.isHeldByAnother(task, visit.claimant(), nowMs)) {
      throw PageException.invalid(
          "Only %s may change the task until %s, so nothing was done."
              .formatted(task.getClaimantId(), TimeText.at(task.getAtMs())));
    }
    ModifyRequest.Builder request = ModifyRequest.newBuilder().setClaimantId(visit.claimant());
    write(request, task, visit, nowMs);
    visit.reads().ask(Method.MODIFY, request.build());
    return new ActionOutcome(PageUrls.to("/task", "id", task.getId(), ActionOutcome.DID, path()));
  }

  /** The task as it is now. */
  private static Task task(Visit visit) {
    return visit
        .reads()
        .task(visit.text("id"))
        .orElseThrow(
            () -> PageException.invalid("There is no such task any more, so nothing was done."));
  }

  static TaskID ref(Task task) {
    return TaskID.newBuilder()
        .setId(task.getId())
        .setVersion(task.getVersion())
        .setQueue(task.getQueue())
        .build();
  }

  private static TaskChange.Builder change(Task task) {
    return TaskChange.newBuilder().setOldId(ref(task));
  }

  private static TaskChange lease(Task task, long ms) {
    return change(task)
        .setNewData(TaskData.newBuilder().setQueue(task.getQueue()).setByMs(ms))
        .setMode(ChangeMode.CHANGE_LEASE)
        .build();
  }

  /** The data that a task has, since a change replaces all of it. */
  private static TaskData.Builder same(Task task, long nowMs) {
    TaskData.Builder data =
        TaskData.newBuilder()
            .setQueue(task.getQueue())
            .setByMs(Math.max(0, task.getAtMs() - nowMs))
            .setAttempt(task.getAttempt())
            .setErr(task.getErr());
    if (task.hasRaw()) {
      data.setRaw(task.getRaw());
    } else if (task.hasValue()) {
      data.setValue(task.getValue());
    }
    return data;
  }
}
