package io.entroq.console.action;

import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.PolicyKind;
import io.entroq.codec.wire.edge.PolicyRef;
import io.entroq.codec.wire.edge.PolicyState;
import io.entroq.console.read.Visit;
import io.entroq.console.user.Role;
import io.entroq.console.view.Field;
import io.entroq.console.view.Link;
import io.entroq.console.view.Page;
import io.entroq.console.web.PageException;
import io.entroq.console.web.PageUrls;
import io.entroq.console.web.Places;
import io.entroq.service.call.Method;
import java.util.List;

/** Removes the policy of a queue. */
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
    String queue = QueueAction.name(visit);
    PolicyState policy =
        visit
            .reads()
            .policy(PolicyKind.POLICY_QUEUE, queue)
            .orElseThrow(() -> PageException.notFound("The queue has no policy of its own."));
    return new Page(
        "Remove the policy: queue " + queue,
        "",
        "",
        List.of(
            form(
                "Removes all rules of the queue, and its pause. A policy of a prefix of its name"
                    + " applies then, if there is one.",
                List.of(
                    Field.hidden("name", queue),
                    Field.hidden("version", Integer.toString(policy.getVersion()))),
                "Remove the policy",
                new Link("Do nothing", Places.queue(queue)))));
  }

  @Override
  public ActionOutcome run(Visit visit) {
    String queue = QueueAction.name(visit);
    visit
        .reads()
        .ask(
            Method.MODIFY,
            ModifyRequest.newBuilder()
                .setClaimantId(visit.claimant())
                .addPolicyDeletes(
                    PolicyRef.newBuilder()
                        .setKind(PolicyKind.POLICY_QUEUE)
                        .setName(queue)
                        .setExpectedVersion(visit.number("version", 1, Integer.MAX_VALUE)))
                .build());
    return new ActionOutcome(PageUrls.to("/queue", "name", queue, ActionOutcome.DID, path()));
  }
}
