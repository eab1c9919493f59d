package io.entroq.console.screen;

import io.entroq.codec.wire.edge.Policy;
import io.entroq.codec.wire.edge.PolicyKind;
import io.entroq.codec.wire.edge.PolicyState;
import io.entroq.console.action.PolicyFields;
import io.entroq.console.action.PolicyTarget;
import io.entroq.console.action.PolicyUse;
import io.entroq.console.read.Visit;
import io.entroq.console.user.Role;
import io.entroq.console.view.Cell;
import io.entroq.console.view.Field;
import io.entroq.console.view.Link;
import io.entroq.console.view.Page;
import io.entroq.console.view.Part;
import io.entroq.console.view.Part.Column;
import io.entroq.console.web.PageException;
import io.entroq.console.web.PageUrls;
import io.entroq.console.web.Places;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** All policies of prefixes, pools and queues, and all limiters, with what uses them. */
final class PoliciesScreen implements Screen {
  private static final String PATH = "/policies";
  private static final int ROWS = 20;
  private static final int PAGES_MAX = PolicyUse.ENTRIES_MAX / ROWS;

  /** What one table has. */
  private enum Group {
    PREFIXES("Prefixes", PolicyKind.POLICY_PREFIX, "Used by", entry -> true),
    POOLS(
        "Pools",
        PolicyKind.POLICY_QUEUE,
        "Used by",
        entry -> PolicyTarget.isPool(entry.getPolicy())),
    LIMITERS("Limiters", PolicyKind.POLICY_LIMITER, "Used by", entry -> true),
    QUEUES(
        "Other queues",
        PolicyKind.POLICY_QUEUE,
        "",
        entry -> !PolicyTarget.isPool(entry.getPolicy()));

    private final String title;
    private final PolicyKind kind;
    private final String uses;

    @SuppressWarnings("ImmutableEnumChecker") // a method is immutable
    private final Predicate<PolicyState> has;

    Group(String title, PolicyKind kind, String uses, Predicate<PolicyState> has) {
      this.title = title;
      this.kind = kind;
      this.uses = uses;
      this.has = has;
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Override
  public Page show(Visit visit) {
    String prefix = visit.text("q");
    Group of = group(visit);
    int page = visit.text("page").isEmpty() ? 0 : visit.number("page", 0, PAGES_MAX);
    PolicyUse use = new PolicyUse(visit);
    List<Part> parts = new ArrayList<>();
    parts.add(Search.form(PATH, prefix));
    for (Group group : of == null ? List.of(Group.values()) : List.of(of)) {
      parts.addAll(
          Parts.orWhyNot(group.title, () -> table(visit, use, group, prefix, of == null, page)));
    }
    if (visit.may(Role.ADMIN)) {
      parts.add(newPolicy());
    }
    return new Page(
        "Policies and limiters",
        "Rules of queues, of all queues with a prefix, of pools, and limits that queues share.",
        "",
        parts);
  }

  /** Null for all. */
  private static Group group(Visit visit) {
    String word = visit.text("of");
    for (Group group : Group.values()) {
      if (group.word().equals(word)) {
        return group;
      }
    }
    if (!word.isEmpty()) {
      throw PageException.invalid("There are no such policies: " + word + ".");
    }
    return null;
  }

  private static String url(Group group, String prefix, int page) {
    return PageUrls.to(
        PATH, "of", group.word(), "q", prefix, "page", page == 0 ? "" : Integer.toString(page));
  }

  private static List<Part> table(
      Visit visit, PolicyUse use, Group group, String prefix, boolean isOneOfMany, int page) {
    List<PolicyState> read = use.entries(group.kind, prefix);
    List<PolicyState> found = read.stream().filter(group.has).toList();
    boolean canEdit = visit.may(Role.ADMIN);
    List<List<Cell>> rows =
        found.stream()
            .skip((long) page * ROWS)
            .limit(ROWS)
            .map(entry -> row(use, group, entry, canEdit))
            .toList();
    List<Part> parts = new ArrayList<>();
    parts.add(new Part.Table(group.title, columns(group, canEdit), rows, "There are none."));
    List<Link> links =
        isOneOfMany
            ? found.size() > ROWS
                ? List.of(new Link("All of them", url(group, prefix, 0)))
                : List.of()
            : Search.pages(page, ROWS, found.size(), other -> url(group, prefix, other));
    if (found.size() > ROWS) {
      parts.add(new Part.Note(Part.Tone.TEXT, "There are %,d.".formatted(found.size()), links));
    }
    if (read.size() == PolicyUse.ENTRIES_MAX) {
      parts.add(
          Part.Note.of(
              Part.Tone.PROBLEM,
              "%s: only %,d were looked at, and there may be more. Search by name to find others."
                  .formatted(group.title, PolicyUse.ENTRIES_MAX)));
    }
    return parts;
  }

  private static List<Column> columns(Group group, boolean canEdit) {
    List<Column> columns = new ArrayList<>();
    columns.add(Column.of("Name"));
    columns.add(Column.of("Rate"));
    columns.add(Column.of("In flight at most"));
    columns.add(Column.number("Rules"));
    if (!group.uses.isEmpty()) {
      columns.add(Column.of(group.uses));
    }
    columns.add(Column.number("Version"));
    if (canEdit) {
      columns.add(Column.of("Edit"));
      columns.add(Column.of("Remove"));
    }
    return columns;
  }

  private static List<Cell> row(PolicyUse use, Group group, PolicyState entry, boolean canEdit) {
    PolicyTarget target = PolicyTarget.of(entry);
    Policy rules = entry.getPolicy();
    boolean isPool = group == Group.POOLS;
    Policy limits =
        isPool
            ? Policy.newBuilder()
                .setRateLimit(rules.getPoolRateLimit())
                .setRatePeriodMs(rules.getPoolRatePeriodMs())
                .setInFlightMax(rules.getPoolInFlightMax())
                .build()
            : rules;
    List<Cell> row = new ArrayList<>();
    row.add(
        Cell.link(target.name(), target.url())
            .noted(entry.getPausedUntilMs() == 0 ? "" : "paused"));
    row.add(Cell.of(PolicyParts.rate(limits)));
    row.add(limits.getInFlightMax() == 0 ? Cell.of("any") : Cell.of(limits.getInFlightMax()));
    row.add(Cell.of(PolicyFields.texts(rules).size()));
    if (!group.uses.isEmpty()) {
      row.add(use.cell(target));
    }
    row.add(Cell.of(entry.getVersion()));
    if (canEdit) {
      row.add(Cell.link("Edit", target.actionUrl("policy")));
      row.add(Cell.link("Remove", target.actionUrl("drop-policy")));
    }
    return row;
  }

  private static Part newPolicy() {
    return new Part.Form(
        "New",
        "A pool is a queue with the rule that makes it one.",
        false,
        Places.action("policy"),
        List.of(
            Field.choice(PolicyTarget.PARAMETER, "Rules of a", "prefix", "", PolicyTarget.kinds()),
            Field.line("name", "Its name", "", "")),
        "Enter rules",
        List.of());
  }
}
