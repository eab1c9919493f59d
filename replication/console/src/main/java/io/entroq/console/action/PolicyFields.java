package io.entroq.console.action;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.entroq.codec.wire.edge.Policy;
import io.entroq.codec.wire.edge.PolicyKind;
import io.entroq.console.read.Visit;
import io.entroq.console.view.Field;
import io.entroq.console.web.PageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The rules of a policy as fields of a form and as lines: whatever the message has, so a new rule
 * is there as soon as the API has it. Any thread.
 */
public final class PolicyFields {
  /** What says which policy it is. */
  private static final Set<String> NAMES = Set.of("kind", "name", "expected_version");

  private static final Set<String> OF_LIMITERS =
      Set.of("rate_limit", "rate_period_ms", "rate_burst", "in_flight_max");

  private static final Map<String, String> LABELS =
      Map.ofEntries(
          Map.entry("rate_limit", "Tasks that may start in a period"),
          Map.entry("rate_period_ms", "Length of the period"),
          Map.entry("rate_burst", "Tasks that may start at once after a quiet time"),
          Map.entry("in_flight_max", "Tasks in flight at most"),
          Map.entry("limiters", "Limiters that it shares"),
          Map.entry("retry_base_ms", "Rest after the first failure"),
          Map.entry("retry_factor_milli", "Factor by which each further rest is longer"),
          Map.entry("retry_max_ms", "Longest rest"),
          Map.entry("retry_jitter_milli", "Random part of a rest"),
          Map.entry("attempts_max", "Failures until a task dies"),
          Map.entry("lapses_max", "Lapsed leases until a task dies"),
          Map.entry("dead_queue", "Queue for dead tasks"),
          Map.entry("breaker_failures", "Failures in a row until it pauses"),
          Map.entry("breaker_pause_ms", "Length of that pause"),
          Map.entry("ttl_ms", "Time until a task expires"),
          Map.entry("expired_queue", "Queue for expired tasks"),
          Map.entry("tasks_max", "Tasks at most"),
          Map.entry("bytes_max", "Bytes of values and errors at most"),
          Map.entry("overflow", "When it is full"),
          Map.entry("order", "Which task starts next"),
          Map.entry("remember_ids_ms", "How long ids of tasks stay taken"),
          Map.entry("fair", "Makes it a pool, which picks by"),
          Map.entry("pool_depth", "Levels of members that are pools"),
          Map.entry("pool_in_flight_max", "Tasks in flight in the pool at most"),
          Map.entry("pool_rate_limit", "Tasks of the pool that may start in a period"),
          Map.entry("pool_rate_period_ms", "Length of the period of the pool"),
          Map.entry("pool_rate_burst", "Tasks of the pool that may start at once"),
          Map.entry("weight", "Weight as a member of a pool"),
          Map.entry("rank", "Rank as a member of a pool"),
          Map.entry("groups", "Groups, which make it a topic"));

  private PolicyFields() {}

  private static List<FieldDescriptor> rules() {
    return Policy.getDescriptor().getFields().stream()
        .filter(field -> !NAMES.contains(field.getName()))
        .toList();
  }

  /** What people read for the rule of a field. */
  public static String label(String rule) {
    return LABELS.getOrDefault(rule, rule) + unit(rule);
  }

  private static String unit(String rule) {
    return rule.endsWith("_ms")
        ? ", in milliseconds"
        : rule.endsWith("_milli") ? ", in thousandths" : "";
  }

  /** Whether what a policy is of can have a rule; the service refuses others. */
  private static boolean isFor(PolicyKind kind, String rule) {
    return switch (kind) {
      case POLICY_LIMITER -> OF_LIMITERS.contains(rule);
      case POLICY_PREFIX ->
          !rule.equals("fair") && !rule.equals("groups") && !rule.startsWith("pool_");
      case POLICY_QUEUE, UNRECOGNIZED -> true;
    };
  }

  /**
   * Fields with the rules that a policy has.
   *
   * @param kind what it is of
   */
  static List<Field> fields(PolicyKind kind, Policy policy) {
    List<Field> fields = new ArrayList<>();
    for (FieldDescriptor rule : rules()) {
      String name = rule.getName();
      if (!isFor(kind, name)) {
        continue;
      }
      String text = text(policy, rule);
      if (rule.getJavaType() == FieldDescriptor.JavaType.ENUM) {
        List<String> choices =
            rule.getEnumType().getValues().stream().map(PolicyFields::word).toList();
        fields.add(Field.choice(name, label(rule.getName()), word(policy, rule), "", choices));
      } else if (rule.isRepeated()) {
        fields.add(Field.line(name, label(rule.getName()), text, "Separated by spaces."));
      } else if (rule.getJavaType() == FieldDescriptor.JavaType.STRING) {
        fields.add(Field.line(name, label(rule.getName()), text, ""));
      } else {
        fields.add(Field.number(name, label(rule.getName()), text, ""));
      }
    }
    return fields;
  }

  /** The text of a rule; empty if it is not set. */
  private static String text(Policy policy, FieldDescriptor rule) {
    if (rule.isRepeated()) {
      List<?> values = (List<?>) policy.getField(rule);
      return String.join(" ", values.stream().map(Object::toString).toList());
    }
    if (policy.getField(rule).equals(rule.getDefaultValue())) {
      return "";
    }
    return rule.getJavaType() == FieldDescriptor.JavaType.ENUM
        ? word(policy, rule)
        : policy.getField(rule).toString();
  }

  private static String word(Policy policy, FieldDescriptor rule) {
    return word((EnumValueDescriptor) policy.getField(rule));
  }

  /** The value of an enum without its prefix, in lower case. */
  private static String word(EnumValueDescriptor value) {
    String prefix = value.getType().getName().toUpperCase(Locale.ROOT) + "_";
    return value.getName().substring(prefix.length()).toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  /**
   * Reads the rules of a form.
   *
   * @param policy to which they are added
   * @throws PageException if a number is none
   */
  static void read(Visit visit, Policy.Builder policy) {
    for (FieldDescriptor rule : rules()) {
      String text = visit.text(rule.getName()).strip();
      if (!text.isEmpty()) {
        if (rule.isRepeated()) {
          Arrays.stream(text.split("\\s+")).forEach(each -> policy.addRepeatedField(rule, each));
        } else {
          policy.setField(rule, value(rule, text));
        }
      }
    }
  }

  private static Object value(FieldDescriptor rule, String text) {
    try {
      return switch (rule.getJavaType()) {
        case INT -> Integer.valueOf(text);
        case LONG -> Long.valueOf(text);
        case ENUM ->
            rule.getEnumType().getValues().stream()
                .filter(value -> word(value).equals(text))
                .findFirst()
                .orElseThrow(
                    () -> PageException.invalid(label(rule.getName()) + ": choose a value."));
        default -> text;
      };
    } catch (NumberFormatException e) {
      throw PageException.invalid(
          "%s: '%s' is not a whole number.".formatted(label(rule.getName()), text));
    }
  }

  /** The texts of the rules that are set, by the names of their fields. */
  public static Map<String, String> texts(Policy policy) {
    Map<String, String> texts = new LinkedHashMap<>();
    for (FieldDescriptor rule : rules()) {
      String text = text(policy, rule);
      if (!text.isEmpty()) {
        texts.put(rule.getName(), text);
      }
    }
    return texts;
  }
}
