package io.entroq.console.action;

import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.Policy;
import io.entroq.codec.wire.edge.PolicyRef;
import io.entroq.codec.wire.edge.PolicyState;
import io.entroq.console.read.Visit;
import io.entroq.console.user.Role;
import io.entroq.console.view.Cell;
import io.entroq.console.view.Field;
import io.entroq.console.view.Page;
import io.entroq.console.view.Part;
import io.entroq.console.view.Part.Fact;
import io.entroq.console.web.PageException;
import io.entroq.service.call.Method;
import java.util.ArrayList;
import java.util.List;

/** Removes the policy of a queue or prefix, or a limiter. */
final class PolicyRemoval implements Action {
  @Override
  public String path() {
    return "drop-policy";
  }

  @Override
  public Role role() {
    return Role.ADMIN;
  }

  @Override
  public Page ask(Visit visit) {
    PolicyTarget target = PolicyTarget.of(visit);
    PolicyState policy =
        target
            .entry(visit)
            .orElseThrow(
                () ->
                    PageException.notFound(
                        "There are no rules and no pause of the %s.".formatted(target)));
    List<Part> parts = new ArrayList<>();
    String reach = new PolicyUse(visit).reach(target, PolicyTarget.isPool(policy.getPolicy()));
    if (!reach.isEmpty()) {
      parts.add(Part.Note.of(Part.Tone.NOTE, reach));
    }
    List<Fact> facts = new ArrayList<>();
    PolicyFields.texts(policy.getPolicy())
        .forEach((rule, text) -> facts.add(new Fact(PolicyFields.label(rule), Cell.of(text))));
    if (!facts.isEmpty()) {
      parts.add(new Part.Facts("Rules that end", facts));
    }
    parts.add(
        form(
            text(target, policy.getPolicy()),
            target.fields(Field.hidden("version", Integer.toString(policy.getVersion()))),
            "Remove the " + target.word(),
            target.otherwise()));
    return new Page("Remove the " + target.rules(), "", "", parts);
  }

  private static String text(PolicyTarget target, Policy policy) {
    return switch (target.kind()) {
      case POLICY_LIMITER ->
          "Removes the rules and the pause of the limiter. Policies may go on to name it, and are"
              + " then not limited by it.";
      case POLICY_PREFIX ->
          "Removes the rules and the pause of the prefix. The policy of a shorter prefix applies"
              + " then, if there is one.";
      case POLICY_QUEUE, UNRECOGNIZED ->
          "Removes all rules of the queue, and its pause. A policy of a prefix of its name applies"
              + " then, if there is one."
              + (PolicyTarget.isPool(policy)
                  ? " It is no pool any more: claims of it get no tasks of the queues below."
                  : "");
    };
  }

  @Override
  public ActionOutcome run(Visit visit) {
    PolicyTarget target = PolicyTarget.of(visit);
    visit
        .reads()
        .ask(
            Method.MODIFY,
            ModifyRequest.newBuilder()
                .setClaimantId(visit.claimant())
                .addPolicyDeletes(
                    PolicyRef.newBuilder()
                        .setKind(target.kind())
                        .setName(target.name())
                        .setExpectedVersion(visit.number("version", 1, Integer.MAX_VALUE)))
                .build());
    return new ActionOutcome(target.url("drop-" + target.word()));
  }
}
