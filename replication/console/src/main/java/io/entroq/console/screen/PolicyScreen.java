package io.entroq.console.screen;

import io.entroq.codec.wire.edge.PolicyKind;
import io.entroq.codec.wire.edge.PolicyState;
import io.entroq.console.action.ActionOutcome;
import io.entroq.console.action.PolicyTarget;
import io.entroq.console.action.PolicyUse;
import io.entroq.console.action.QueueAction;
import io.entroq.console.read.Visit;
import io.entroq.console.user.Role;
import io.entroq.console.value.TimeText;
import io.entroq.console.view.Cell;
import io.entroq.console.view.Link;
import io.entroq.console.view.Page;
import io.entroq.console.view.Part;
import io.entroq.console.view.Part.Fact;
import io.entroq.console.web.PageException;
import io.entroq.console.web.PageUrls;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The rules and the pause of a prefix or limiter, and what uses them. */
final class PolicyScreen implements Screen {
  @Override
  public Page show(Visit visit) {
    PolicyTarget target = PolicyTarget.of(visit);
    if (target.kind() == PolicyKind.POLICY_QUEUE) {
      throw PageException.invalid("The rules of a queue are on its own page.");
    }
    List<Part> parts = new ArrayList<>(ActionOutcome.notes(visit));
    long nowMs = visit.reads().timeMs();
    Optional<PolicyState> entry = target.entry(visit);
    entry.filter(each -> each.getPausedUntilMs() != 0).ifPresent(each -> parts.add(pause(each)));
    if (visit.may(Role.OPERATOR)) {
      parts.add(new Part.Links("What you can do", actions(visit, target, entry)));
    }
    if (entry.isEmpty()) {
      parts.add(
          Part.Note.of(
              Part.Tone.NOTE, "There are no rules and no pause of the %s.".formatted(target)));
    } else {
      parts.add(PolicyParts.rules(title(entry.get()), entry.get().getPolicy()));
    }
    if (target.kind() == PolicyKind.POLICY_LIMITER) {
      entry.ifPresent(limiter -> parts.add(state(visit.now(), limiter, nowMs)));
    }
    parts.addAll(Parts.orWhyNot("What uses it", () -> uses(visit, target)));
    parts.add(
        new Part.Links(
            "", List.of(new Link("All policies and limiters", PageUrls.to("/policies")))));
    String name = target.toString();
    return new Page(
        Character.toUpperCase(name.charAt(0)) + name.substring(1),
        "Its rules, and what they apply to.",
        target.url(),
        parts);
  }

  private static String title(PolicyState entry) {
    return entry.getHasRules()
        ? "Rules, version " + entry.getVersion()
        : "It has no rules; version " + entry.getVersion();
  }

  private static Part pause(PolicyState entry) {
    return Part.Note.of(
        Part.Tone.PROBLEM,
        entry.getPausedUntilMs() == Long.MAX_VALUE
            ? "It is paused until somebody resumes it."
            : "It is paused until " + TimeText.at(entry.getPausedUntilMs()) + ".");
  }

  private static List<Link> actions(Visit visit, PolicyTarget target, Optional<PolicyState> entry) {
    List<Link> links = new ArrayList<>();
    boolean isPaused = entry.map(each -> each.getPausedUntilMs() != 0).orElse(false);
    links.add((isPaused ? QueueAction.RESUME : QueueAction.PAUSE).link(target));
    if (visit.may(Role.ADMIN)) {
      links.add(new Link("Edit it", target.actionUrl("policy")));
      if (entry.isPresent()) {
        links.add(new Link("Remove it", target.actionUrl("drop-policy")));
      }
    }
    return links;
  }

  private static Part state(String now, PolicyState limiter, long nowMs) {
    return new Part.Figures(
        now,
        List.of(
            new Fact("In flight", Cell.of(limiter.getInFlight())),
            new Fact(
                "Next start",
                Cell.of(
                    limiter.getNextStartMs() <= nowMs
                        ? "now"
                        : TimeText.relative(limiter.getNextStartMs(), nowMs)))));
  }

  private static List<Part> uses(Visit visit, PolicyTarget target) {
    PolicyUse use = new PolicyUse(visit);
    if (target.kind() != PolicyKind.POLICY_LIMITER) {
      return List.of(new Part.Facts("", List.of(new Fact("Used by", use.cell(target)))));
    }
    List<Link> users = use.links(target.name());
    return List.of(
        users.isEmpty()
            ? Part.Note.of(
                Part.Tone.NOTE,
                "No policy names the limiter, of those that were looked at: at most 1,000 of queues"
                    + " and 1,000 of prefixes.")
            : new Part.Links("Policies that name it", users));
  }
}
