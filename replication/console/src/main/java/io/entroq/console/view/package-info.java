/**
 * What templates show, as records: pages as parts with facts, tables and forms. Templates hold no
 * logic but if and for, and become classes of {@code io.entroq.console.view.jte}. Nothing here is
 * escaped; templates do that. Immutable; any thread.
 */
package io.entroq.console.view;
