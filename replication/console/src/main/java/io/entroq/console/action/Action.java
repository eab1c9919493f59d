package io.entroq.console.action;

import io.entroq.console.read.Visit;
import io.entroq.console.user.Role;
import io.entroq.console.view.Field;
import io.entroq.console.view.Link;
import io.entroq.console.view.Page;
import io.entroq.console.view.Part;
import io.entroq.console.web.PageException;
import io.entroq.console.web.Places;
import java.util.List;

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
   * The form that does it.
   *
   * @param text says what will happen
   * @param otherwise leads away
   */
  default Part.Form form(String text, List<Field> fields, String submit, Link otherwise) {
    return new Part.Form("", text, true, Places.action(path()), fields, submit, List.of(otherwise));
  }

  /**
   * Does it.
   *
   * @throws PageException if the form is not filled in correctly; nothing was done
   * @throws io.entroq.console.call.CallFailedException if it was refused, or nobody knows
   */
  ActionOutcome run(Visit visit);
}
