package io.entroq.console.action;

import io.entroq.codec.wire.edge.Fair;
import io.entroq.codec.wire.edge.Policy;
import io.entroq.codec.wire.edge.PolicyKind;
import io.entroq.codec.wire.edge.PolicyState;
import io.entroq.console.read.Visit;
import io.entroq.console.view.Field;
import io.entroq.console.view.Link;
import io.entroq.console.web.PageException;
import io.entroq.console.web.PageUrls;
import io.entroq.console.web.Places;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What rules and a pause belong to: a queue, all queues with a prefix, or a limiter. Immutable.
 *
 * @param name not empty
 */
public record PolicyTarget(PolicyKind kind, String name) {
  /** The parameter that has one of the {@link #kinds}. */
  public static final String PARAMETER = "target";

  /** In the order of {@link PolicyKind}. */
  private static final List<String> KINDS = List.of("queue", "prefix", "limiter");

  /** The words for what there is, as parameters have them. */
  public static List<String> kinds() {
    return KINDS;
  }

  /** What an entry is of. */
  public static PolicyTarget of(PolicyState entry) {
    return new PolicyTarget(entry.getPolicy().getKind(), entry.getPolicy().getName());
  }

  /**
   * Reads the fields of a form, or parameters; a queue if they name no kind.
   *
   * @throws PageException if they name nothing
   */
  public static PolicyTarget of(Visit visit) {
    String kind = visit.text(PARAMETER);
    int number = kind.isEmpty() ? 0 : KINDS.indexOf(kind);
    if (number < 0) {
      throw PageException.invalid("Choose a queue, a prefix or a limiter.");
    }
    if (visit.text("name").isEmpty()) {
      throw PageException.invalid("Name a %s.".formatted(KINDS.get(number)));
    }
    return new PolicyTarget(PolicyKind.forNumber(number), visit.text("name"));
  }

  static PolicyTarget queue(String name) {
    return new PolicyTarget(PolicyKind.POLICY_QUEUE, name);
  }

  boolean isQueue() {
    return kind == PolicyKind.POLICY_QUEUE;
  }

  boolean isLimiter() {
    return kind == PolicyKind.POLICY_LIMITER;
  }

  /** What its rules are called. */
  String word() {
    return isLimiter() ? "limiter" : "policy";
  }

  /** Its rules, for titles. */
  String rules() {
    return isLimiter() ? toString() : "policy: " + this;
  }

  /** Its rules and its pause, as they are now. */
  public Optional<PolicyState> entry(Visit visit) {
    return visit.reads().policy(kind, name);
  }

  /** Whether rules make a queue a pool. */
  public static boolean isPool(Policy policy) {
    return policy.getFair() != Fair.FAIR_NONE;
  }

  /** Where its rules and its pause are shown. */
  public String url() {
    return url("");
  }

  /**
   * As {@link #url()}, after an action.
   *
   * @param did the action
   */
  String url(String did) {
    return isQueue()
        ? PageUrls.to("/queue", "name", name, ActionOutcome.DID, did)
        : PageUrls.to("/policy", PARAMETER, kindName(), "name", name, ActionOutcome.DID, did);
  }

  private String kindName() {
    return KINDS.get(kind.getNumber());
  }

  /** The page that asks before an action is done with it. */
  public String actionUrl(String action) {
    return Places.action(action, PARAMETER, isQueue() ? "" : kindName(), "name", name);
  }

  /** The link away from a page that asks. */
  Link otherwise() {
    return new Link("Do nothing", url());
  }

  /** The fields that name it, and more. */
  List<Field> fields(Field... more) {
    List<Field> fields = new ArrayList<>();
    fields.add(Field.hidden(PARAMETER, kindName()));
    fields.add(Field.hidden("name", name));
    fields.addAll(List.of(more));
    return fields;
  }

  @Override
  public String toString() {
    return kindName() + " " + name;
  }
}
