/**
 * The demo: counts the words in the text files below a directory with map, shuffle and reduce
 * tasks. Some workers crash or hang and some tasks always fail; the demo verifies that no task is
 * lost or committed twice.
 *
 * <p>{@link io.entroq.server.demo.Demo} is the entry point: {@code chaos} runs the workers, {@code
 * report} shows progress and the summary. The command line calls it on its main thread; all other
 * threads have ended when it returns.
 */
package io.entroq.server.demo;
