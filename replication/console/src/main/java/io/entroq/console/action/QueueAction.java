package io.entroq.console.action;

import io.entroq.codec.wire.Ids;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.PolicyPause;
import io.entroq.codec.wire.edge.PolicyState;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.console.read.Visit;
import io.entroq.console.view.Field;
import io.entroq.console.view.Link;
import io.entroq.console.view.Page;
import io.entroq.console.view.Part;
import io.entroq.console.web.PageException;
import io.entroq.console.web.PageUrls;
import io.entroq.service.call.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What can be done with a queue in one write. Prefixes and limiters can be paused and resumed, too.
 */
public enum QueueAction implements Action {
  INSERT("Insert a task", "Inserts a task that workers can claim.") {
    @Override
    List<Field> fields() {
      List<Field> fields = new ArrayList<>();
      // The same form sent twice inserts one task.
      fields.add(Field.hidden("id", Ids.randomV1().v1Text()));
      fields.addAll(EnteredValue.fields());
      fields.add(Field.number("seconds", "Available in how many seconds", "0", "0 is at once."));
      return fields;
    }

    @Override
    String write(ModifyRequest.Builder request, Visit visit) {
      String id = visit.text("id");
      TaskData.Builder data =
          TaskData.newBuilder()
              .setQueue(name(visit))
              .setId(id)
              .setByMs(1_000L * visit.number("seconds", 0, SECONDS_MAX));
      EnteredValue.of(visit).addTo(data);
      request.addInserts(data);
      return PageUrls.to("/task", "id", id, ActionOutcome.DID, path());
    }
  },

  PAUSE("Pause", "No claim gets a task while it is paused. Inserts go on.") {
    @Override
    String text(PolicyTarget target, boolean isPool) {
      return switch (target.kind()) {
        case POLICY_PREFIX ->
            "No claim gets a task from a queue whose name begins with this while it is paused."
                + " Inserts go on.";
        case POLICY_LIMITER ->
            "No claim gets a task from a queue that shares the limiter while it is paused. Inserts"
                + " go on.";
        case POLICY_QUEUE, UNRECOGNIZED ->
            isPool
                ? "No claim gets a task from the pool or from a member of it while it is paused."
                    + " Inserts go on."
                : "No claim gets a task from the queue while it is paused. Inserts go on.";
      };
    }

    @Override
    List<Field> fields() {
      return List.of(
          Field.number(
              "seconds", "For how many seconds", "", "Leave it empty: until it is resumed."));
    }

    @Override
    String write(ModifyRequest.Builder request, Visit visit) {
      boolean isOpen = visit.text("seconds").isEmpty();
      return pause(request, visit, isOpen ? -1 : 1_000L * visit.number("seconds", 1, SECONDS_MAX));
    }
  },

  RESUME("Resume", "Workers get tasks again.") {
    @Override
    String write(ModifyRequest.Builder request, Visit visit) {
      return pause(request, visit, 0);
    }
  };

  private static final int SECONDS_MAX = 365 * 24 * 3_600;

  private final String label;
  private final String text;

  QueueAction(String label, String text) {
    this.label = label;
    this.text = text;
  }

  /** Adds the write, and returns where to go after it. */
  abstract String write(ModifyRequest.Builder request, Visit visit);

  /** What it asks for; nothing unless it says otherwise. */
  List<Field> fields() {
    return List.of();
  }

  /** What it does. */
  String text(PolicyTarget target, boolean isPool) {
    return text;
  }

  /** A link to the page that asks. */
  public Link link(PolicyTarget target) {
    return new Link(label, target.actionUrl(path()));
  }

  /** A link to the page that asks about a queue. */
  public Link link(String queue) {
    return link(PolicyTarget.queue(queue));
  }

  @Override
  public String path() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public Page ask(Visit visit) {
    PolicyTarget target = target(visit);
    boolean isPool =
        this != INSERT
            && target.isQueue()
            && target
                .entry(visit)
                .map(PolicyState::getPolicy)
                .filter(PolicyTarget::isPool)
                .isPresent();
    List<Part> parts = new ArrayList<>();
    String reach = this == INSERT ? "" : new PolicyUse(visit).reach(target, isPool);
    if (!reach.isEmpty()) {
      parts.add(Part.Note.of(Part.Tone.NOTE, reach));
    }
    parts.add(
        form(
            text(target, isPool),
            target.fields(fields().toArray(Field[]::new)),
            label,
            target.otherwise()));
    return new Page(label + ": " + target, "", "", parts);
  }

  /** What it is for. */
  private PolicyTarget target(Visit visit) {
    PolicyTarget target = PolicyTarget.of(visit);
    if (this == INSERT && !target.isQueue()) {
      throw PageException.invalid("Tasks are inserted into a queue. Name one.");
    }
    return target;
  }

  @Override
  public ActionOutcome run(Visit visit) {
    PolicyTarget unused = target(visit);
    ModifyRequest.Builder request = ModifyRequest.newBuilder().setClaimantId(visit.claimant());
    String next = write(request, visit);
    visit.reads().ask(Method.MODIFY, request.build());
    return new ActionOutcome(next);
  }

  String pause(ModifyRequest.Builder request, Visit visit, long ms) {
    PolicyTarget target = target(visit);
    request.addPauses(
        PolicyPause.newBuilder().setKind(target.kind()).setName(target.name()).setPauseMs(ms));
    return target.url(target.isQueue() ? path() : path() + "-it");
  }

  static String name(Visit visit) {
    String name = visit.text("name");
    if (name.isEmpty()) {
      throw PageException.invalid("Name a queue.");
    }
    return name;
  }
}
