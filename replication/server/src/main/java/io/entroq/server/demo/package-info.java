/**
 * The demo: counts the words of the text files below a directory by tasks of a queue whose workers
 * die, hang and meet tasks that cannot be done, and shows that nothing is lost and nothing counts
 * twice.
 *
 * <p>{@link io.entroq.server.demo.Demo} puts it together: {@code text} is the input, {@code job}
 * the tasks and their handlers, {@code chaos} the workers, {@code report} what is shown. Run by the
 * command line on its main thread; whatever runs beside has ended when the demo returns.
 */
package io.entroq.server.demo;
