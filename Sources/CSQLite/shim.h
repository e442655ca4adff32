#include <sqlite3.h>

/* sqlite3_db_config is variadic, which Swift does not import. */
static inline int sqlite3_no_checkpoint_on_close(sqlite3 *database, int on) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on, (int *)0);
}
