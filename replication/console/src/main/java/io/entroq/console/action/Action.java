package io.entroq.console.action;

import io.entroq.console.read.Visit;
import io.entroq.console.user.Role;
import io.entroq.console.view.Page;
import io.entroq.console.web.PageException;

/** Something that an operator can do. Any thread. */
public interface Action {
  /** Its name in paths: lower case, with dashes. */
  String path();

  /** Who may do it. */
  default Role role() {
    return Role.OPERATOR;
  }

  /**
   * The page that says what will happen, and has the form that does it.
   *
   * @throws PageException if there is nothing that it could be done with
   * @throws io.entroq.console.call.CallFailedException if a question was refused
   */
  Page ask(Visit visit);

  /** Whether {@link #ask} may read for longer than a page waits usually. */
  default boolean asksSlowly() {
    return false;
  }

  /**
   * Does it.
   *
   * @throws PageException if the form is not filled in correctly; nothing was done
   * @throws io.entroq.console.call.CallFailedException if it was refused, or nobody knows
   */
  ActionOutcome run(Visit visit);
}
