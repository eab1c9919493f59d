package io.entroq.server.cli.queue.rules;

import io.entroq.api.Policies;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a put of rules changes. Immutable.
 *
 * @param before the entry as it was read; empty if it does not exist
 * @param after the rules to put
 */
public record RulesChange(Optional<Policies.Entry> before, Policies.Rules after) {
  /** Whether there is anything to write. */
  public boolean isChange() {
    return !before.flatMap(Policies.Entry::rules).equals(Optional.of(after));
  }

  /** The write, which fails if the entry is no longer as it was read. */
  public Policies.Put write() {
    return new Policies.Put(after, Optional.of(before.map(Policies.Entry::version).orElse(0)));
  }

  /** A line that names the target and each rule that changes. */
  public String line() {
    Map<String, List<String>> old =
        before.flatMap(Policies.Entry::rules).map(RuleTexts::of).orElse(Map.of());
    Map<String, List<String>> now = RuleTexts.of(after);
    List<String> parts = new ArrayList<>();
    for (String key : RuleTexts.KEYS) {
      if (!now.containsKey(key) && old.containsKey(key)) {
        parts.add("%s %s removed".formatted(key, text(old.get(key))));
      } else if (now.containsKey(key) && !old.containsKey(key)) {
        parts.add("%s %s".formatted(key, text(now.get(key))));
      } else if (now.containsKey(key) && !now.get(key).equals(old.get(key))) {
        parts.add("%s %s -> %s".formatted(key, text(old.get(key)), text(now.get(key))));
      }
    }
    String what = before.flatMap(Policies.Entry::rules).isEmpty() ? "new" : "changed";
    return "%s: %s"
        .formatted(
            after.target(), isChange() ? what + ": " + String.join(", ", parts) : "unchanged")
        .replaceAll(": $", "");
  }

  /** All rules of an entry in a line. */
  public static String summary(Policies.Entry entry) {
    List<String> parts = new ArrayList<>();
    entry
        .rules()
        .map(RuleTexts::of)
        .orElse(Map.of())
        .forEach((key, values) -> parts.add(key + " " + text(values)));
    return parts.isEmpty() ? "-" : String.join(", ", parts);
  }

  private static String text(List<String> values) {
    return String.join("+", values);
  }
}
