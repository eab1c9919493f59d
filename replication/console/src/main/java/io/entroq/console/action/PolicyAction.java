package io.entroq.console.action;

import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.Policy;
import io.entroq.codec.wire.edge.PolicyState;
import io.entroq.console.read.Visit;
import io.entroq.console.user.Role;
import io.entroq.console.view.Cell;
import io.entroq.console.view.Field;
import io.entroq.console.view.Page;
import io.entroq.console.view.Part;
import io.entroq.console.web.Places;
import io.entroq.service.call.Method;
import io.entroq.service.translation.Refusal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Writes the policy of a queue or prefix, or a limiter, after it has shown what that changes. */
final class PolicyAction implements Action {
  private static final String PREVIEW = "preview";

  /** Of a policy that must not exist. */
  private static final int NO_VERSION = -1;

  @Override
  public String path() {
    return "policy";
  }

  @Override
  public Role role() {
    return Role.ADMIN;
  }

  @Override
  public Page ask(Visit visit) {
    PolicyTarget target = PolicyTarget.of(visit);
    Optional<PolicyState> now = target.entry(visit);
    Policy before = now.map(PolicyState::getPolicy).orElse(Policy.getDefaultInstance());
    List<Part> parts = new ArrayList<>();
    Policy shown = before;
    if (!visit.text(PREVIEW).isEmpty()) {
      shown = entered(visit, target);
      if (shown.getExpectedVersion() == seen(now)) {
        addPreview(parts, visit, now, shown);
      } else {
        parts.add(
            Part.Note.of(
                Part.Tone.PROBLEM,
                ("The %s has changed since you began to edit it. Open this page anew from the page"
                        + " of the %s.")
                    .formatted(target.word(), target)));
      }
    }
    List<Field> fields =
        target.fields(
            Field.hidden("version", Integer.toString(version(visit, now))),
            Field.hidden(PREVIEW, "yes"));
    fields.addAll(PolicyFields.fields(target.kind(), shown));
    parts.add(
        new Part.Form(
            "Rules",
            "A rule that is empty is absent. Nothing is written before you have seen what changes.",
            false,
            Places.action(path()),
            fields,
            "Show what changes",
            List.of(target.otherwise())));
    return new Page("Edit the " + target.rules(), "", "", parts);
  }

  private static int seen(Optional<PolicyState> policy) {
    return policy.map(PolicyState::getVersion).orElse(NO_VERSION);
  }

  /** The version that the user has seen first. */
  private static int version(Visit visit, Optional<PolicyState> now) {
    return visit.text(PREVIEW).isEmpty()
        ? seen(now)
        : visit.number("version", NO_VERSION, Integer.MAX_VALUE);
  }

  private static Policy entered(Visit visit, PolicyTarget target) {
    Policy.Builder policy = Policy.newBuilder().setKind(target.kind()).setName(target.name());
    PolicyFields.read(visit, policy);
    return policy
        .setExpectedVersion(visit.number("version", NO_VERSION, Integer.MAX_VALUE))
        .build();
  }

  private void addPreview(List<Part> parts, Visit visit, Optional<PolicyState> now, Policy after) {
    Policy before = now.map(PolicyState::getPolicy).orElse(Policy.getDefaultInstance());
    Optional<Refusal> invalid =
        visit.calls().check(visit.user(), Method.MODIFY, request(visit, after));
    if (invalid.isPresent()) {
      parts.add(
          Part.Note.of(
              Part.Tone.PROBLEM, "These rules are not valid: " + invalid.get().message() + "."));
      return;
    }
    List<List<Cell>> rows = changes(before, after);
    parts.add(
        new Part.Table(
            "What changes",
            List.of(Part.Column.of("Rule"), Part.Column.of("Now"), Part.Column.of("Afterwards")),
            rows,
            "Nothing changes."));
    if (rows.isEmpty()) {
      return;
    }
    PolicyTarget target = new PolicyTarget(after.getKind(), after.getName());
    new PolicyBlock(visit, now, after).note().ifPresent(parts::add);
    List<Field> fields =
        target.fields(Field.hidden("version", Integer.toString(after.getExpectedVersion())));
    PolicyFields.texts(after).forEach((rule, text) -> fields.add(Field.hidden(rule, text)));
    parts.add(
        new Part.Form(
            "",
            "It applies to the %s at once. %s"
                .formatted(target, new PolicyUse(visit).reach(target, PolicyTarget.isPool(after))),
            true,
            Places.action(path()),
            fields,
            "Write the " + target.word(),
            List.of()));
  }

  private static List<List<Cell>> changes(Policy before, Policy after) {
    Map<String, String> old = PolicyFields.texts(before);
    Map<String, String> now = PolicyFields.texts(after);
    Set<String> rules = new LinkedHashSet<>(old.keySet());
    rules.addAll(now.keySet());
    List<List<Cell>> rows = new ArrayList<>();
    for (String rule : rules) {
      String was = old.getOrDefault(rule, "absent");
      String is = now.getOrDefault(rule, "absent");
      if (!was.equals(is)) {
        rows.add(List.of(Cell.of(PolicyFields.label(rule)), Cell.of(was), Cell.of(is)));
      }
    }
    return rows;
  }

  private static ModifyRequest request(Visit visit, Policy policy) {
    return ModifyRequest.newBuilder().setClaimantId(visit.claimant()).addPolicyPuts(policy).build();
  }

  @Override
  public ActionOutcome run(Visit visit) {
    PolicyTarget target = PolicyTarget.of(visit);
    visit.reads().ask(Method.MODIFY, request(visit, entered(visit, target)));
    return new ActionOutcome(target.url(target.word()));
  }
}
