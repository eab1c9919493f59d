package io.entroq.console.action;

import io.entroq.codec.wire.edge.AuthzDep;
import io.entroq.codec.wire.edge.ModifyDep;
import io.entroq.console.web.PageException;
import io.entroq.service.translation.Refusal;
import java.util.ArrayList;
import java.util.List;

/** Why something was not done, in plain words. */
public final class FailureWords {
  private FailureWords() {}

  /** The page that says so. */
  public static PageException page(Refusal refusal) {
    return new PageException(PageException.statusOf(refusal), of(refusal));
  }

  /** Sentences for the user who has asked for it. */
  public static String of(Refusal refusal) {
    List<String> sentences = new ArrayList<>();
    sentences.add(
        switch (refusal.code()) {
          case PERMISSION_DENIED, UNAUTHENTICATED ->
              "You may not do this, so nothing was done: " + refusal.message() + ".";
          case NOT_FOUND -> "Something has changed since you looked at it, so nothing was done.";
          case INVALID_ARGUMENT, FAILED_PRECONDITION, RESOURCE_EXHAUSTED, UNIMPLEMENTED, ABORTED ->
              "Nothing was done: " + refusal.message() + ".";
          default ->
              "Nobody knows whether it was done: "
                  + refusal.message()
                  + ". Look before you try again.";
        });
    refusal.dependencies().forEach(dependency -> sentences.add(words(dependency)));
    refusal.denials().stream().map(AuthzDep::getMsg).forEach(sentences::add);
    return String.join(" ", sentences.stream().filter(each -> !each.isEmpty()).toList());
  }

  private static String words(ModifyDep dependency) {
    return switch (dependency.getType()) {
      case CLAIM -> "Somebody else holds the task.";
      case INSERT -> "There is already a task with this id.";
      case DETAIL -> dependency.getMsg();
      default -> "";
    };
  }
}
